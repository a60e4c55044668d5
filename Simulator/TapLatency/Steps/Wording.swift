/// How figures are told in a sentence.
enum Wording {
    /// A time: whole microseconds up to a millisecond, then three digits.
    static func time(_ microseconds: UInt64) -> String {
        switch microseconds {
        case ..<1_000: "\(microseconds) us"
        case ..<1_000_000: "\(digits(Double(microseconds) / 1_000)) ms"
        default: "\(digits(Double(microseconds) / 1_000_000)) s"
        }
    }

    /// A time that is a mean.
    static func time(_ microseconds: Double) -> String {
        time(UInt64(max(0, microseconds).rounded()))
    }

    /// A difference, with its sign.
    static func difference(_ microseconds: Int64) -> String {
        (microseconds < 0 ? "-" : "+") + time(microseconds.magnitude)
    }

    /// A share as whole per cents.
    static func percent(_ share: Double) -> String {
        "\(Int((share * 100).rounded())) %"
    }

    /// A number with one decimal where it is below 100, and none otherwise.
    static func digits(_ number: Double) -> String {
        if number >= 100 { return "\(Int(number.rounded()))" }
        let tenths = Int((number * 10).rounded())
        return tenths.isMultiple(of: 10) ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}
