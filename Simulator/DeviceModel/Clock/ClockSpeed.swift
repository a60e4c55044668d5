/// How fast a watch's time goes, as a multiple of this machine's.
public struct ClockSpeed: Sendable, Equatable {
    /// The slowest and the fastest.
    public static let range = 0.1...1_000.0
    /// As fast as this machine's.
    public static let real = ClockSpeed(unchecked: 1)
    /// The speeds that are stepped through one after the other.
    static let ladder = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000]

    /// The multiple.
    public let factor: Double

    /// A speed, or nil outside of `range`.
    public init?(_ factor: Double) {
        guard ClockSpeed.range.contains(factor) else { return nil }
        self.factor = factor
    }

    /// The speed that `text` says, such as `0.5` or `100`, or nil.
    public init?(text: String) {
        guard let factor = Double(text) else { return nil }
        self.init(factor)
    }

    private init(unchecked factor: Double) {
        self.factor = factor
    }

    /// The next faster one, or the fastest.
    public var faster: ClockSpeed {
        ClockSpeed(unchecked: ClockSpeed.ladder.first { $0 > factor } ?? ClockSpeed.range.upperBound)
    }

    /// The next slower one, or the slowest.
    public var slower: ClockSpeed {
        ClockSpeed(unchecked: ClockSpeed.ladder.last { $0 < factor } ?? ClockSpeed.range.lowerBound)
    }

    /// The multiple without a fraction that is none: `10`, `0.5`.
    public var text: String {
        factor == factor.rounded() ? String(Int(factor)) : String(factor)
    }
}
