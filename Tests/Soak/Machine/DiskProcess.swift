/// A program that uses a simulated disk, what its writes are, and what goes wrong with them.
final class DiskProcess {
    /// Whether the program runs.
    enum Life: Equatable {
        case running
        /// It was killed, in the middle of its write of this number, or between two.
        case killed(atWrite: Int)
    }

    /// An error that the disk reports.
    enum Trouble: Codable, Equatable, Sendable {
        /// The device failed.
        case failing
        /// There is no room.
        case full
    }

    /// What happens to writes from now on.
    enum Fate: Equatable {
        case none
        /// The one after `after` more is not made, and the program is killed.
        case killed(after: Int)
        /// The `count` after `after` more fail.
        case failing(Trouble, after: Int, count: Int)
    }

    private(set) var life = Life.running
    /// Writes, truncations and syncs so far.
    private(set) var writes = 0
    var fate = Fate.none
    /// What has gone wrong so far.
    private(set) var failures = 0

    var isRunning: Bool { life == .running }

    /// Called when it is killed.
    var killed: () -> Void = {}

    func kill() {
        guard isRunning else { return }
        life = .killed(atWrite: writes)
        killed()
    }

    /// Counts a write; returns what is wrong with it.
    func beginWrite() -> Trouble? {
        guard isRunning else { return .failing }
        writes += 1
        switch fate {
        case .none: return nil
        case .killed(0):
            fate = .none
            kill()
            return .failing
        case .killed(let after):
            fate = .killed(after: after - 1)
            return nil
        case .failing(let trouble, 0, let count):
            fate = count > 1 ? .failing(trouble, after: 0, count: count - 1) : .none
            failures += 1
            return trouble
        case .failing(let trouble, let after, let count):
            fate = .failing(trouble, after: after - 1, count: count)
            return nil
        }
    }
}
