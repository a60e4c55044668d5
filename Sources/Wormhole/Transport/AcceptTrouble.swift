import WatchLink

extension TransportListener {
    /// Accepts channels until the listener is closed or the task is cancelled. Calls `failed` with each failure that should be
    /// reported. Calls `accepted` with each channel, and with the number of failures that `AcceptTrouble.succeeded()` returns.
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

/// Decides how long a listener waits after each failure, and whether to report it.
///
/// If no descriptor is free, the connection stays in the system's queue, and another attempt fails at once. The listener
/// therefore waits after each failure: first 100 ms, then twice as long each time, at most five seconds.
///
/// A failure that equals the failure before it is not reported. A failure that equals the last reported failure is not reported
/// within a minute of that report.
struct AcceptTrouble: Sendable {
    private struct Row {
        let error: WormholeError
        var times = 1
        let isTold: Bool
    }

    private static let reportInterval = Microseconds.seconds(60)

    private var row: Row?
    private var last: (error: WormholeError, time: Instant)?
    private var backoff = DoublingPause(shortest: .milliseconds(100), longest: .seconds(5))

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

    /// Resets the pause. Returns how many equal failures in a row came directly before this success. Returns 0 if these
    /// failures were not reported.
    mutating func succeeded() -> Int {
        backoff.succeeded()
        defer { row = nil }
        return row.map { $0.isTold ? $0.times : 0 } ?? 0
    }
}

/// A pause between attempts that doubles with each failure, up to a limit.
package struct DoublingPause: Sendable {
    private let shortest: Microseconds
    private let longest: Microseconds
    private var next: Microseconds

    package init(shortest: Microseconds, longest: Microseconds) {
        self.shortest = shortest
        self.longest = longest
        next = shortest
    }

    package mutating func failed() -> Microseconds {
        defer { next = min(next + next, longest) }
        return next
    }

    package mutating func succeeded() { next = shortest }
}
