import WatchLink

/// How long a stage may run until it is given up.
public struct StageLimits: Sendable, Equatable {
    /// The limit that a stage went beyond.
    public enum Exceeded: Sendable, Equatable, CustomStringConvertible {
        /// It waited, and the watch's clock went on.
        case waited(Microseconds)
        /// It computed, and the watch's clock stood still.
        case computed(seconds: Int)
        /// It did neither: it is blocked.
        case blocked(seconds: Int)

        /// What happened, in a few words.
        public var description: String {
            switch self {
            case .waited(let length): "it waited for more than \(length.count / 1_000_000) s of the watch's time"
            case .computed(let seconds): "it computed for \(seconds) s without the watch's clock moving"
            case .blocked(let seconds): "it was blocked for \(seconds) s"
            }
        }
    }

    /// Of the watch's own time.
    public var waiting: Microseconds
    /// Of this machine's processor, in seconds.
    public var computing: Int
    /// Of this machine's time, in seconds.
    public var blocked: Int

    /// These limits.
    public init(waiting: Microseconds = .seconds(60), computing: Int = 5, blocked: Int = 60) {
        self.waiting = waiting
        self.computing = computing
        self.blocked = blocked
    }
}
