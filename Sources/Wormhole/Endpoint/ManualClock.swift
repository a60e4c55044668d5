import Synchronization
import WatchLink

/// A clock that stands still until it is told to go on: the time of a test.
public final class ManualClock: LinkClock {
    private struct Sleeper {
        let deadline: WatchLink.Instant
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: WatchLink.Instant
        var nextNumber: UInt64 = 0
        var sleepers: [UInt64: Sleeper] = [:]
    }

    private let state: Mutex<State>

    /// A clock that stands at `now`.
    public init(now: WatchLink.Instant = .start) {
        state = Mutex(State(now: now))
    }

    /// The time at which the clock stands.
    public var now: WatchLink.Instant { state.withLock { $0.now } }

    /// The earliest time that somebody waits for.
    public var nextDeadline: WatchLink.Instant? { deadlines.first }

    /// All times that somebody waits for, the earliest first; one stands there for each who waits.
    public var deadlines: [WatchLink.Instant] {
        state.withLock { state in state.sleepers.values.map(\.deadline).sorted() }
    }

    /// Goes on by `length` at once, and wakes whoever waited for a time up to then.
    public func advance(by length: Microseconds) {
        let woken: [Sleeper] = state.withLock { state in
            state.now = state.now + length
            let due = state.sleepers.filter { $0.value.deadline <= state.now }
            for number in due.keys { state.sleepers[number] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in woken { sleeper.continuation.resume() }
    }

    /// Returns once the clock has come to `deadline`.
    public func sleep(until deadline: WatchLink.Instant) async throws {
        let number = state.withLock { state in
            state.nextNumber += 1
            return state.nextNumber
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    guard state.now < deadline, !Task.isCancelled else { return true }
                    state.sleepers[number] = Sleeper(deadline: deadline, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.sleepers.removeValue(forKey: number) }?.continuation.resume()
        }
        try Task.checkCancellation()
    }
}
