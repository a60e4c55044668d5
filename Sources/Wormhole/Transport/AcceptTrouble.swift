import WatchLink

/// The failures of a listener to accept, one after the other: how long to wait after each, and which of them to report.
///
/// Without a free descriptor the connection stays in the system's queue and another attempt fails at once, so every failure is
/// followed by a pause: 100 ms, and twice the last one up to five seconds.
package struct AcceptTrouble: Sendable {
    private enum State {
        case none
        case failing(error: WormholeError, times: Int)
    }

    private var state = State.none
    private var backoff = ReconnectBackoff(shortest: .milliseconds(100), longest: .seconds(5))

    package init() {}

    /// After one more failure: the pause, and whether it is news, which the same failure again is not.
    package mutating func failed(_ error: WormholeError) -> (pause: Microseconds, isNews: Bool) {
        let pause = backoff.failed()
        switch state {
        case .failing(error, let times):
            state = .failing(error: error, times: times + 1)
            return (pause, false)
        case .failing, .none:
            state = .failing(error: error, times: 1)
            return (pause, true)
        }
    }

    /// A connection was accepted.
    ///
    /// - Returns: how often that had failed before; 0 where it had not.
    package mutating func succeeded() -> Int {
        backoff.succeeded()
        defer { state = .none }
        guard case .failing(_, let times) = state else { return 0 }
        return times
    }
}
