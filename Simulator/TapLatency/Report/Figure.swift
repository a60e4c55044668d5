import HostSystem

/// Formats numbers for human readers. Most numbers get three significant digits and a suitable unit. A missing number is an en
/// dash.
package enum Figure {
    package static let none = "–"

    /// Formats a time with three significant digits: in µs below 1 ms, in ms below 1 s, otherwise in s.
    package static func time(_ microseconds: Double) -> String {
        guard microseconds.isFinite else { return none }
        var amount = microseconds.magnitude
        var unit = "µs"
        // An amount of 999.5 or more would be rounded to 1000, so it gets the larger unit.
        for larger in ["ms", "s"] where amount >= 999.5 {
            amount /= 1000
            unit = larger
        }
        return "\(microseconds < 0 ? "−" : "")\(digits(amount)) \(unit)"
    }

    /// Formats a time in whole µs below 1 ms, otherwise with three significant digits in ms or s.
    package static func time(_ microseconds: UInt64?) -> String {
        guard let microseconds else { return none }
        return microseconds < 1000 ? "\(microseconds) µs" : time(Double(microseconds))
    }

    /// Formats a range of times, such as "331 to 352 µs". Gives one time if both ends have the same text.
    package static func between(_ bounds: ClosedRange<UInt64>?) -> String {
        guard let bounds else { return none }
        let (from, to) = (time(bounds.lowerBound), time(bounds.upperBound))
        if from == to { return from }
        let unit = to.drop { $0 != " " }
        return from.hasSuffix(unit) ? "\(from.dropLast(unit.count)) to \(to)" : "\(from) to \(to)"
    }

    package static func change(_ microseconds: Int64?) -> String {
        guard let microseconds else { return none }
        return (microseconds < 0 ? "−" : microseconds > 0 ? "+" : "±") + time(microseconds.magnitude)
    }

    /// Formats a share from 0 to 1 in per cent, such as "6.5 %" or "66 %". Only a share below 10 % has a decimal.
    package static func share(_ share: Double) -> String {
        share.isFinite ? "\(decimal(share * 100, places: share < 0.0995 ? 1 : 0)) %" : none
    }

    /// Formats a share from 0 to 1 in whole per cent. The share must be finite.
    static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

    /// Formats a relative change in per cent, with its sign and two decimals: "+3.14 %" for 0.0314.
    package static func difference(_ share: Double) -> String {
        guard share.isFinite else { return none }
        let digits = decimal(share.magnitude * 100, places: 2)
        return "\(digits == "0.00" ? "±" : share < 0 ? "−" : "+")\(digits) %"
    }

    /// Formats a number without a unit, with three significant digits. If `places` is given, a number between -1 and 1 gets
    /// that many decimals instead.
    package static func amount(_ amount: Double, smallest places: Int? = nil) -> String {
        guard amount.isFinite else { return none }
        if let places, abs(amount) < 1 { return decimal(amount, places: places) }
        return digits(amount)
    }

    package static func count(_ count: Int) -> String {
        (count < 0 ? "−" : "") + grouped("\(count.magnitude)")
    }

    package static func count(_ count: Int, _ one: String) -> String {
        "\(Figure.count(count)) \(CountText.name(count, one))"
    }

    static func exact(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }

    private static func digits(_ value: Double) -> String {
        switch value.magnitude {
        case 0: "0"
        case ..<0.009995: decimal(value, places: 5)
        case ..<0.09995: decimal(value, places: 4)
        case ..<0.9995: decimal(value, places: 3)
        case ..<9.995: decimal(value, places: 2)
        case ..<99.95: decimal(value, places: 1)
        default: decimal(value, places: 0)
        }
    }

    private static func decimal(_ value: Double, places: Int) -> String {
        let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
        let scaled = (value.magnitude * Double(scale)).rounded()
        guard scaled < 1e18 else { return "\(value)" }
        let whole = Int(scaled)
        let fraction = "\(whole % scale)"
        let sign = value < 0 && whole > 0 ? "−" : ""
        let before = sign + grouped("\(whole / scale)")
        if places == 0 { return before }
        return before + "." + String(repeating: "0", count: places - fraction.count) + fraction
    }

    private static func grouped(_ digits: String) -> String {
        var written = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { written += "," }
            written.append(digit)
        }
        return written
    }
}
