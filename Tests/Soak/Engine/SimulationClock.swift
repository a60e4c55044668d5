import Synchronization
import WatchLink
import Wormhole

/// The time of a simulation, and the tasks of all programs that wait for a moment of it.
final class SimulationClock: Sendable {
    fileprivate struct Sleeper {
        let number: UInt64
        let program: UInt64
        let deadline: WatchLink.Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    fileprivate struct Contents {
        var now = WatchLink.Instant.start
        var count: UInt64 = 0
        /// In the order in which they wake.
        var sleepers: [Sleeper] = []

        mutating func nextNumber() -> UInt64 {
            count += 1
            return count
        }
    }

    fileprivate let contents = Mutex(Contents())

    var now: WatchLink.Instant { contents.withLock { $0.now } }

    /// When the first sleeper wakes; nil if none sleeps.
    var nextDeadline: WatchLink.Instant? { contents.withLock { $0.sleepers.first?.deadline } }

    /// Moves to `now`, and wakes the tasks whose time has come.
    func advance(to now: WatchLink.Instant) {
        let woken = contents.withLock { contents in
            contents.now = max(contents.now, now)
            let count = contents.sleepers.prefix { $0.deadline <= contents.now }.count
            defer { contents.sleepers.removeFirst(count) }
            return contents.sleepers.prefix(count).map(\.continuation)
        }
        for continuation in woken { continuation.resume() }
    }

    /// The clock as a program sees it.
    func forProgram() -> ProgramClock { ProgramClock(self, contents.withLock { $0.nextNumber() }) }
}

/// The clock of one program, which sleeps no more when that is gone.
final class ProgramClock: LinkClock {
    private let clock: SimulationClock
    private let program: UInt64

    fileprivate init(_ clock: SimulationClock, _ program: UInt64) {
        self.clock = clock
        self.program = program
    }

    var now: WatchLink.Instant { clock.now }

    /// Ends every sleep of the program as a cancelled one. Returns whether there was any.
    func abandonSleepers() -> Bool {
        let sleepers = clock.contents.withLock { contents in
            let own = contents.sleepers.filter { $0.program == program }
            contents.sleepers.removeAll { $0.program == program }
            return own
        }
        for sleeper in sleepers { sleeper.continuation.resume(throwing: CancellationError()) }
        return !sleepers.isEmpty
    }

    func sleep(until deadline: WatchLink.Instant) async throws {
        let number = clock.contents.withLock { $0.nextNumber() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = clock.contents.withLock { contents in
                    guard deadline > contents.now, !Task.isCancelled else { return true }
                    let place = contents.sleepers.firstIndex { deadline < $0.deadline } ?? contents.sleepers.endIndex
                    contents.sleepers.insert(
                        SimulationClock.Sleeper(
                            number: number, program: program, deadline: deadline, continuation: continuation), at: place
                    )
                    return false
                }
                if isOver { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            let sleeper = clock.contents.withLock { contents in
                contents.sleepers.firstIndex { $0.number == number }.map { contents.sleepers.remove(at: $0) }
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }
}
