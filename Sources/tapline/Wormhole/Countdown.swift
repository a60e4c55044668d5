import Synchronization

/// How many more things a command waits for; nil for as many as come.
final class Countdown: Sendable {
    private let left: Mutex<Int?>

    init(_ count: Int?) {
        left = Mutex(count)
    }

    /// How many more; nil for as many as come.
    var count: Int? { left.withLock { $0 } }

    var isRunning: Bool { left.withLock { $0 != 0 } }

    func step() { left.withLock { $0 = $0.map { $0 - 1 } } }
}
