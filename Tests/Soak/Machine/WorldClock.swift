import Synchronization
import WatchLink
import Wormhole

/// The time of a simulated world, and the tasks that wait for a moment of it.
final class WorldClock: LinkClock {
    private struct Sleeper {
        let number: UInt64
        let deadline: WatchLink.Instant
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Contents {
        var now = WatchLink.Instant.start
        var count: UInt64 = 0
        /// In the order in which they wake.
        var sleepers: [Sleeper] = []

        /// Takes out a sleeper.
        mutating func remove(_ number: UInt64) -> Sleeper? {
            sleepers.firstIndex { $0.number == number }.map { sleepers.remove(at: $0) }
        }
    }

    private let contents = Mutex(Contents())

    var now: WatchLink.Instant { contents.withLock { $0.now } }

    /// When the first sleeper wakes, nil where none sleeps.
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

    /// Ends every sleep as a cancelled one: nobody is there any more who could wake.
    func abandonSleepers() {
        let sleepers = contents.withLock { contents in
            defer { contents.sleepers = [] }
            return contents.sleepers.map(\.continuation)
        }
        for continuation in sleepers { continuation.resume(throwing: CancellationError()) }
    }

    func sleep(until deadline: WatchLink.Instant) async throws {
        let number = contents.withLock { contents in
            contents.count += 1
            return contents.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = contents.withLock { contents in
                    guard deadline > contents.now, !Task.isCancelled else { return true }
                    let place = contents.sleepers.firstIndex { deadline < $0.deadline } ?? contents.sleepers.endIndex
                    contents.sleepers.insert(
                        Sleeper(number: number, deadline: deadline, continuation: continuation), at: place)
                    return false
                }
                if isOver { continuation.resume() }
            }
            try Task.checkCancellation()
        } onCancel: {
            contents.withLock { $0.remove(number) }?.continuation.resume(throwing: CancellationError())
        }
    }
}
