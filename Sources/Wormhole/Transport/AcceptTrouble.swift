import WatchLink

/// The failures of a listener to accept, one after the other: how long to wait after each, and which of them to report.
///
/// Without a free descriptor the connection stays in the system's queue and another attempt fails at once, so every failure is
/// followed by a pause: 100 ms, and twice the last one up to five seconds. A listener for which there is a descriptor now and
/// then is reported no more than once a minute.
package struct AcceptTrouble: Sendable {
    private enum State {
        case none
        case failing(error: WormholeError, times: Int, report: Report)
    }

    /// What is known of a failure outside.
    private enum Report {
        case told
        /// The same one was told less than a minute ago.
        case withheld
    }

    /// The least time between two reports of one failure.
    package static var reportInterval: Microseconds { .seconds(60) }

    private var state = State.none
    private var last: (error: WormholeError, time: Instant)?
    private var backoff = DoublingPause(shortest: .milliseconds(100), longest: .seconds(5))

    package init() {}

    /// After one more failure: the pause, and whether it is news, which the same failure again is not.
    package mutating func failed(_ error: WormholeError, at now: Instant) -> (pause: Microseconds, isNews: Bool) {
        let pause = backoff.failed()
        switch state {
        case .failing(error, let times, let report):
            state = .failing(error: error, times: times + 1, report: report)
            return (pause, false)
        case .failing, .none:
            let isNews = last.map { $0.error != error || now >= $0.time + AcceptTrouble.reportInterval } ?? true
            if isNews { last = (error, now) }
            state = .failing(error: error, times: 1, report: isNews ? .told : .withheld)
            return (pause, isNews)
        }
    }

    /// A connection was accepted.
    ///
    /// - Returns: how often that had failed before, where the failure was news; 0 where it was not, or there was none.
    package mutating func succeeded() -> Int {
        backoff.succeeded()
        defer { state = .none }
        switch state {
        case .failing(_, let times, .told): return times
        case .failing(_, _, .withheld), .none: return 0
        }
    }
}
