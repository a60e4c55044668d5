/// The role of a side. A link has one of each.
public enum LinkRole: UInt8, Sendable, BitwiseCopyable {
    /// The device on the wrist. It says hello first.
    case watch = 0
    /// The host. It answers once it has looked the watch up.
    case phone = 1
}
