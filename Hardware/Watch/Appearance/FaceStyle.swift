/// How a face is laid out.
public enum FaceStyle: UInt8, Sendable, BitwiseCopyable {
    /// Date and circular complication above the time, the rectangular one below it.
    case modular = 0
    /// Date and corner complication above the time, a line below it.
    case simple = 1
}
