/// What the watch shows of its link to the phone.
public enum LinkIndicator: UInt8, Sendable, BitwiseCopyable {
    /// No phone: what is done waits on the watch.
    case down = 0
    /// A channel is open and the two are getting in sync.
    case connecting = 1
    /// The phone answers.
    case reachable = 2
}
