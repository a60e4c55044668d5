/// How figures are told in a sentence.
enum Wording {
    /// A time in the unit that suits it.
    static func time(_ microseconds: UInt64) -> String { FigureText(time: microseconds).plain }

    /// A time that is a mean.
    static func time(_ microseconds: Double) -> String {
        time(UInt64(max(0, microseconds).rounded()))
    }

    /// A difference, with its sign.
    static func difference(_ microseconds: Int64) -> String { FigureText(change: microseconds).plain }

    /// A share as whole per cents.
    static func percent(_ share: Double) -> String {
        "\(Int((share * 100).rounded())) %"
    }

    /// A number with three digits that count.
    static func digits(_ number: Double) -> String { FigureText(amount: number).plain }
}
