/// The part that a side plays. A link has one of each.
public enum LinkRole: UInt8, Sendable, BitwiseCopyable {
    /// The device on the wrist. It speaks first.
    case watch = 0
    /// The host. It answers once it has looked the watch up.
    case phone = 1
}
