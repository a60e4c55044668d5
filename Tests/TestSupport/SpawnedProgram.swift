import Glibc
import Synchronization
import SystemPackage

/// A program that a test has started. It is killed when this object is released.
///
/// The program inherits only the descriptors that the test gives it. If it inherited another program's pipe, that pipe
/// would stay open, and its reader would not see the end.
package final class SpawnedProgram: Sendable {
    package enum End: Equatable, Sendable {
        case exited(CInt)
        case killed(signal: CInt)
    }

    private enum State {
        case running
        /// The process ID may belong to another process now.
        case ended(End)
    }

    package let identifier: pid_t
    private let state = Mutex(State.running)

    /// Starts a program. If a descriptor is nil, the program gets `/dev/null`.
    ///
    /// - Parameters:
    ///   - words: the program's path, then its arguments.
    ///   - input: the descriptor for its standard input.
    ///   - output: the descriptor for its standard output.
    ///   - error: the descriptor for its standard error.
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

    /// A new program closes all inherited descriptors from 3 up to this limit. A run of the tests opens fewer than
    /// 4,096. It is an error to close a descriptor beyond the process's own limit.
    private static var descriptorLimit: CInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return CInt(min(limit.rlim_cur, 4_096))
    }

    deinit {
        if case .running = state.withLock({ $0 }) { kill(identifier, SIGKILL) }
        _ = awaitEnd()
    }

    /// Blocks the thread until the program has ended. Call this only for a program that ends soon by itself.
    package func awaitEnd() -> End {
        // With `WNOWAIT`, the process ID stays in use until `waitpid` below. Until then, a signal to it cannot reach
        // another process.
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
    /// Decodes a status of waitpid(2). Bits 0 to 6 are the signal. If they are zero, bits 8 to 15 are the exit status.
    fileprivate init(waitStatus status: CInt) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal: signal)
    }
}
