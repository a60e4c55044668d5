import HostSystem

/// Figures as reports write them: three significant digits, a unit that suits, and an en dash for a missing figure.
///
/// A figure and its unit are held together by a no-break space.
package struct FigureText: Equatable, Sendable {
    package let text: String

    /// The same with an ordinary space between, for a terminal or an error, in which people search.
    package var plain: String { String(text.map { $0 == "\u{A0}" ? " " : $0 }) }

    /// For a missing figure.
    package static let none = FigureText(text: "–")

    private init(text: String) {
        self.text = text
    }

    /// A time in microseconds: in µs below 1 ms, in ms below 1 s, else in s.
    package init(time microseconds: Double) {
        guard microseconds.isFinite else {
            self = .none
            return
        }
        let sign = microseconds < 0 ? "−" : ""
        var amount = microseconds.magnitude
        var unit = "µs"
        // 999.5 of a unit would be written as 1000 of it.
        for larger in ["ms", "s"] where amount >= 999.5 {
            amount /= 1000
            unit = larger
        }
        text = "\(sign)\(FigureText.digits(amount))\u{A0}\(unit)"
    }

    /// A time in whole microseconds. Below 1 ms it has all of its digits, which are exact.
    package init(time microseconds: UInt64?) {
        guard let microseconds else {
            self = .none
            return
        }
        self =
            microseconds < 1000
            ? FigureText(text: "\(microseconds)\u{A0}µs") : FigureText(time: Double(microseconds))
    }

    /// Two times between which a third one lies, such as "331 to 352 µs".
    package init(between bounds: ClosedRange<UInt64>?) {
        guard let bounds else {
            self = .none
            return
        }
        let (from, to) = (FigureText(time: bounds.lowerBound).text, FigureText(time: bounds.upperBound).text)
        if from == to {
            text = from
            return
        }
        let unit = to.drop { $0 != "\u{A0}" }
        text = from.hasSuffix(unit) ? "\(from.dropLast(unit.count)) to \(to)" : "\(from) to \(to)"
    }

    /// A difference of two times in whole microseconds, with its sign.
    package init(change microseconds: Int64?) {
        guard let microseconds else {
            self = .none
            return
        }
        let sign = microseconds < 0 ? "−" : microseconds > 0 ? "+" : "±"
        text = sign + FigureText(time: microseconds.magnitude).text
    }

    /// A time on an axis whose ticks are `step` apart, in the unit that suits the axis' end; all in microseconds.
    init(tick microseconds: Double, step: Double, end: Double) {
        let (unit, size) = end >= 1_000_000 ? ("s", 1_000_000.0) : end >= 1000 ? ("ms", 1000) : ("µs", 1)
        let apart = step / size
        let places = apart > 0.999 ? 0 : apart > 0.0999 ? 1 : apart > 0.00999 ? 2 : 3
        text = microseconds == 0 ? "0" : "\(FigureText.decimal(microseconds / size, places: places))\u{A0}\(unit)"
    }

    /// A share, 0 to 1, in per cent.
    package init(share: Double) {
        text = share.isFinite ? "\(FigureText.decimal(share * 100, places: share < 0.0995 ? 1 : 0))\u{A0}%" : "–"
    }

    /// A difference as a share of something, in per cent with its sign and two decimals.
    package init(difference: Double) {
        guard difference.isFinite else {
            self = .none
            return
        }
        let digits = FigureText.decimal(difference.magnitude * 100, places: 2)
        let sign = digits == "0.00" ? "±" : difference < 0 ? "−" : "+"
        text = "\(sign)\(digits)\u{A0}%"
    }

    /// How many times `part` goes into `whole`, with two decimals.
    package init(ratio whole: UInt64?, to part: UInt64?) {
        guard let whole, let part, part > 0 else {
            self = .none
            return
        }
        text = "\(FigureText.decimal(Double(whole) / Double(part), places: 2))\u{A0}×"
    }

    /// An amount without a unit.
    package init(amount: Double) {
        text = amount.isFinite ? FigureText.digits(amount) : "–"
    }

    /// An amount without a unit, below 1 with `places` digits after the point.
    package init(amount: Double, smallest places: Int) {
        text = abs(amount) < 1 ? FigureText.decimal(amount, places: places) : FigureText(amount: amount).text
    }

    /// A whole number, its thousands apart.
    package init(count: Int) {
        text = (count < 0 ? "−" : "") + FigureText.grouped("\(count.magnitude)")
    }

    /// A whole number of things, by the name of one of them.
    package init(count: Int, _ one: String) {
        text = "\(FigureText(count: count).text) \(CountText.name(count, one))"
    }
}

extension FigureText {
    /// Three significant digits, and all digits before the point; 0 is written as such.
    private static func digits(_ value: Double) -> String {
        switch value.magnitude {
        case 0: "0"
        case ..<9.995: decimal(value, places: 2 + leadingZeros(value.magnitude))
        case ..<99.95: decimal(value, places: 1)
        default: decimal(value, places: 0)
        }
    }

    /// How many zeros stand between the point and the first other digit, and the one before the point: at most 3.
    private static func leadingZeros(_ value: Double) -> Int {
        value >= 0.9995 ? 0 : value >= 0.09995 ? 1 : value >= 0.009995 ? 2 : 3
    }

    /// The value with `places` digits after the point and its thousands separated by commas.
    static func decimal(_ value: Double, places: Int) -> String {
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

/// Figures in a sentence.
enum Wording {
    /// A time in the unit that suits it.
    static func time(_ microseconds: UInt64?) -> String { FigureText(time: microseconds).plain }

    /// A time that is a mean.
    static func time(_ microseconds: Double) -> String {
        time(UInt64(max(0, microseconds).rounded()))
    }

    /// A time, with what the manual of the processor's core allows where that is known.
    static func time(_ microseconds: UInt64?, _ bounds: ClosedRange<UInt64>?) -> String {
        guard let bounds, bounds.lowerBound < bounds.upperBound else { return time(microseconds) }
        return "\(time(microseconds)) [\(FigureText(between: bounds).plain)]"
    }

    static func difference(_ microseconds: Int64?) -> String { FigureText(change: microseconds).plain }

    /// A share as whole per cents.
    static func percent(_ share: Double) -> String {
        "\(Int((share * 100).rounded())) %"
    }

    /// A number with all of its digits, and without a fraction where it is a whole one.
    static func exact(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }

    /// A number with three digits that count.
    static func digits(_ number: Double) -> String { FigureText(amount: number).plain }
}
