import Synchronization
import WatchLink

final class SimulationClock: Sendable {
    private let time = Mutex(Instant.start)

    var now: Instant { time.withLock { $0 } }

    func advance(to now: Instant) { time.withLock { $0 = max($0, now) } }
}
