import Synchronization
import SystemPackage
import Wormhole

/// What becomes of the calls for files of one program.
final class FileCalls: Sendable {
    fileprivate enum Fate {
        case made
        /// The `count` calls after `after` more find no room.
        case full(after: Int, count: Int)
        /// The program is killed at the one after `after` more.
        case killing(after: Int)
        /// It was killed, and has no calls any more.
        case killed
    }

    fileprivate struct Contents {
        var fate = Fate.made
        var failures = 0
    }

    private let contents = Mutex(Contents())
    /// Called when the program is killed, at the moment.
    private let killed: @Sendable () -> Void

    init(killed: @escaping @Sendable () -> Void) { self.killed = killed }

    /// The file system of the program.
    var fileSystem: FileSystem { FileSystem { [self] in failure(of: $0) } }

    /// Whether the program was killed at one of its calls, or before.
    var isKilled: Bool { contents.withLock { $0.isKilled } }

    /// The calls that have found no room.
    var failures: Int { contents.withLock { $0.failures } }

    func kill() { contents.withLock { $0.fate = .killed } }
    func kill(after calls: Int) { change(to: .killing(after: calls)) }
    func fill(after calls: Int, count: Int) { change(to: .full(after: calls, count: count)) }
    func heal() { change(to: .made) }

    private func change(to fate: Fate) {
        contents.withLock { contents in
            if case .killed = contents.fate { return }
            contents.fate = fate
        }
    }

    private func failure(of call: String) -> Errno? {
        let (failure, isKilled) = contents.withLock { contents -> (Errno?, Bool) in
            let before = contents.isKilled
            let failure = contents.failure(of: call)
            return (failure, contents.isKilled && !before)
        }
        if isKilled { killed() }
        return failure
    }
}

extension FileCalls.Contents {
    fileprivate var isKilled: Bool { if case .killed = fate { true } else { false } }

    /// Counts a call; returns why it fails.
    fileprivate mutating func failure(of call: String) -> Errno? {
        switch fate {
        case .made: return nil
        case .killed: return .ioError
        case .killing(0):
            fate = .killed
            return .ioError
        case .killing(let after):
            fate = .killing(after: after - 1)
            return nil
        case .full(let after, let count) where call == "pwrite":
            guard after == 0 else {
                fate = .full(after: after - 1, count: count)
                return nil
            }
            fate = count > 1 ? .full(after: 0, count: count - 1) : .made
            failures += 1
            return .noSpace
        case .full: return nil
        }
    }
}
