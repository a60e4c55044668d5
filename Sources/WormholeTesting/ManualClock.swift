import HostSystem
import WatchLink
import Wormhole

/// A clock that stands still until a test advances it.
public final class ManualClock: LinkClock {
    private struct Contents {
        var now: WatchLink.Instant
        var nextNumber: UInt64 = 0
        var deadlines: [UInt64: WatchLink.Instant] = [:]
    }

    private let contents: WaitableState<Contents>

    /// Creates a clock that stands at `now`.
    public init(now: WatchLink.Instant = .start) {
        contents = WaitableState(Contents(now: now))
    }

    /// The time at which the clock stands.
    public var now: WatchLink.Instant { contents.value.now }

    /// The earliest time that a task waits for; nil if no task waits.
    public var nextDeadline: WatchLink.Instant? { deadlines.first }

    /// The times that tasks wait for, one per task, earliest first.
    public var deadlines: [WatchLink.Instant] { contents.value.deadlines.values.sorted() }

    /// Advances the clock by `length` in one step, and wakes the tasks whose deadline is reached.
    public func advance(by length: Microseconds) {
        contents.change { contents in
            contents.now = contents.now + length
            contents.deadlines = contents.deadlines.filter { $0.value > contents.now }
        }
    }

    /// Returns once a task sleeps until this deadline or a later deadline. Call this before `advance(by:)`, so that the clock
    /// does not advance before the task sleeps.
    public func waitForSleeper(until deadline: WatchLink.Instant) async {
        _ = await contents.wait { contents in contents.deadlines.values.contains { $0 >= deadline } ? true : nil }
    }

    /// Returns once the clock has reached `deadline`.
    ///
    /// - Throws: `CancellationError` if the task is cancelled first.
    public func sleep(until deadline: WatchLink.Instant) async throws {
        let number = contents.change { contents in
            contents.nextNumber += 1
            if contents.now < deadline { contents.deadlines[contents.nextNumber] = deadline }
            return contents.nextNumber
        }
        let isReached = await contents.wait { contents in contents.now >= deadline ? true : nil }
        if isReached == nil {
            contents.change { $0.deadlines[number] = nil }
            throw CancellationError()
        }
    }
}
