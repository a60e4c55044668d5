/// A face of the watch. The wearer changes to the next one with a swipe.
public enum FaceStyle: UInt8, Sendable, BitwiseCopyable {
    /// Date and circular complication above the time, the rectangular one below it.
    case modular = 0
    /// Date and corner complication above the time, an inline one below it.
    case simple = 1
    /// The hour above the minute over most of the panel, beside the circular complication and the date; an inline one below.
    case bigDigits = 2

    /// Its name in descriptions and scripts: "modular", "simple" or "big-digits".
    public var name: StaticString {
        switch self {
        case .modular: "modular"
        case .simple: "simple"
        case .bigDigits: "big-digits"
        }
    }

    /// The face that is `step` faces further, from the last one on to the first again.
    func next(by step: Int) -> FaceStyle {
        let count = 3
        let number = ((Int(rawValue) + step) % count + count) % count
        return FaceStyle(rawValue: UInt8(truncatingIfNeeded: number)) ?? .modular
    }
}
