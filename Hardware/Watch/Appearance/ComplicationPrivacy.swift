/// Whether a complication shows what it knows.
public enum ComplicationPrivacy: UInt8, Sendable, BitwiseCopyable {
    /// It does.
    case shown = 0
    /// The wrist is down or the watch locked: bars stand for words, and no number is told.
    case redacted = 1
}
