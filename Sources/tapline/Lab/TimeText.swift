/// A time for a person: three digits that count, in the unit that suits it.
enum TimeText {
    /// Such as "96 µs", "1.35 ms", "233 ms" or "3.31 s".
    static func text(_ microseconds: UInt64) -> String {
        switch microseconds {
        case ..<1_000: "\(microseconds) µs"
        case ..<1_000_000: "\(threeDigits(Double(microseconds) / 1_000)) ms"
        case _: "\(threeDigits(Double(microseconds) / 1_000_000)) s"
        }
    }

    /// The same with its sign, for a difference.
    static func difference(_ microseconds: Int64) -> String {
        let sign = microseconds < 0 ? "-" : microseconds > 0 ? "+" : "±"
        return sign + text(microseconds.magnitude)
    }

    private static func threeDigits(_ number: Double) -> String {
        let decimals = number < 9.995 ? 2 : number < 99.95 ? 1 : 0
        let scale = decimals == 2 ? 100.0 : decimals == 1 ? 10.0 : 1.0
        let scaled = Int((number * scale).rounded())
        guard decimals > 0 else { return "\(scaled)" }
        let fraction = String(scaled % Int(scale))
        return "\(scaled / Int(scale))." + String(repeating: "0", count: decimals - fraction.count) + fraction
    }
}
