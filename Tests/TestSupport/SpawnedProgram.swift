import Glibc
import Synchronization
import SystemPackage

/// A program of a test, which ends with this value. It gets no descriptor of this process but those that it is given, so that
/// none of another program's is held open by it: a pipe that a program holds by accident has no end for who reads it.
package final class SpawnedProgram: Sendable {
    package enum End: Equatable, Sendable {
        case exited(CInt)
        case killed(signal: CInt)
    }

    private enum State {
        case running
        /// Its number may be another's by now.
        case ended(End)
    }

    package let identifier: pid_t
    private let state = Mutex(State.running)

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: its path, and its arguments.
    ///   - input: what it reads from; nil for nothing.
    ///   - output: where it prints to; nil for nowhere.
    ///   - error: where it prints errors to; nil for nowhere.
    package init(
        _ words: [String], input: CInt? = nil, output: CInt? = nil, error: CInt? = nil
    ) throws(Errno) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in zip(CInt(0)..., [input, output, error]) {
            if let descriptor {
                posix_spawn_file_actions_adddup2(&actions, descriptor, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
            }
        }
        for descriptor in 3..<SpawnedProgram.descriptorLimit {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var started = pid_t(0)
        let status = posix_spawn(&started, words[0], &actions, nil, &arguments, environ)
        guard status == 0 else { throw Errno(rawValue: status) }
        identifier = started
    }

    /// More than a run of the tests opens. Closing one that is not open is no error below the limit of the process.
    private static var descriptorLimit: CInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return CInt(min(limit.rlim_cur, 4_096))
    }

    deinit {
        if case .running = state.withLock({ $0 }) { kill(identifier, SIGKILL) }
        _ = awaitEnd()
    }

    /// Blocks the thread until it has ended: for programs that end by themselves at once.
    package func awaitEnd() -> End {
        // The number stays this process's until it is collected below, so that a signal never reaches another.
        var information = siginfo_t()
        while waitid(P_PID, id_t(identifier), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
        return state.withLock { state in
            if case .ended(let end) = state { return end }
            var status = CInt(0)
            while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
            let end = End(waitStatus: status)
            state = .ended(end)
            return end
        }
    }
}

extension SpawnedProgram.End {
    /// The end that waitpid(2) tells with `status`: the signal in the low seven bits, else the exit status in the next eight.
    fileprivate init(waitStatus status: CInt) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }
}
