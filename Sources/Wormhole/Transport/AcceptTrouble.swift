import WatchLink

extension TransportListener {
    /// Accepts peers until the listener is closed or the task is cancelled.
    ///
    /// - Parameters:
    ///   - failed: gets each failure to accept that is news.
    ///   - accepted: gets each channel, and how often accepting had failed before it; 0 if that was not news.
    nonisolated(nonsending) func acceptEach(
        _ clock: any LinkClock, failed: (WormholeError) -> Void, accepted: (any DatagramTransport, Int) -> Void
    ) async {
        var trouble = AcceptTrouble()
        while !Task.isCancelled {
            do throws(WormholeError) {
                let channel = try await accept()
                accepted(channel, trouble.succeeded())
            } catch {
                if error == .closed { return }
                let (pause, isNews) = trouble.failed(error, at: clock.now)
                if isNews { failed(error) }
                try? await clock.sleep(until: clock.now + pause)
            }
        }
    }
}

/// The failures of a listener to accept, one after the other: how long to wait after each, and which of them to report.
///
/// Without a free descriptor the connection stays in the system's queue and another attempt fails at once, so every failure is
/// followed by a pause: 100 ms, and twice the last one up to five seconds. A listener for which there is a descriptor now and
/// then is reported no more than once a minute.
struct AcceptTrouble: Sendable {
    /// The same failure, again and again.
    private struct Row {
        let error: WormholeError
        var times = 1
        /// Not if the same one was told less than a minute ago.
        let isTold: Bool
    }

    /// The least time between two reports of one failure.
    private static let reportInterval = Microseconds.seconds(60)

    private var row: Row?
    private var last: (error: WormholeError, time: Instant)?
    private var backoff = DoublingPause(shortest: .milliseconds(100), longest: .seconds(5))

    /// After one more failure: the pause, and whether it is news, which the same failure again is not.
    mutating func failed(_ error: WormholeError, at now: Instant) -> (pause: Microseconds, isNews: Bool) {
        let pause = backoff.failed()
        guard row?.error != error else {
            row?.times += 1
            return (pause, false)
        }
        let isNews = last.map { $0.error != error || now >= $0.time + AcceptTrouble.reportInterval } ?? true
        if isNews { last = (error, now) }
        row = Row(error: error, isTold: isNews)
        return (pause, isNews)
    }

    /// A connection was accepted.
    ///
    /// - Returns: how often that had failed before, if the failure was news; 0 if it was not, or there was none.
    mutating func succeeded() -> Int {
        backoff.succeeded()
        defer { row = nil }
        return row.map { $0.isTold ? $0.times : 0 } ?? 0
    }
}

/// The pause between attempts to connect: it doubles with each failure, up to a limit.
package struct DoublingPause: Sendable {
    private let shortest: Microseconds
    private let longest: Microseconds
    private var next: Microseconds

    package init(shortest: Microseconds, longest: Microseconds) {
        self.shortest = shortest
        self.longest = longest
        next = shortest
    }

    /// The pause after one more failure.
    package mutating func failed() -> Microseconds {
        defer { next = min(next + next, longest) }
        return next
    }

    /// An attempt has succeeded: the next pause is the shortest.
    package mutating func succeeded() { next = shortest }
}
