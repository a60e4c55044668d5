import Glibc
import SystemPackage

/// A program of a test, which ends with this value. It gets no descriptor of this process but the one that it prints to, so
/// that none of another program's is held open by it.
struct SpawnedProgram: ~Copyable {
    private let process: pid_t

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - words: its path, and its arguments.
    ///   - output: where it prints to; nil for nowhere.
    init(_ words: [String], output: CInt? = nil) throws(Errno) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        if let output {
            posix_spawn_file_actions_adddup2(&actions, output, 1)
        } else {
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        }
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        for descriptor in 3..<SpawnedProgram.mostDescriptors {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var started = pid_t(0)
        let status = posix_spawn(&started, words[0], &actions, nil, &arguments, environ)
        guard status == 0 else { throw Errno(rawValue: status) }
        process = started
    }

    /// More than a run of the tests opens; closing one that is not open is no error below the limit.
    private static var mostDescriptors: CInt {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return CInt(min(limit.rlim_cur, 4_096))
    }

    /// Waits until it ends by itself. Returns its exit status, or nil where a signal ended it.
    consuming func end() -> CInt? {
        let status = wait()
        discard self
        return status & 0x7F == 0 ? status >> 8 & 0xFF : nil
    }

    deinit {
        kill(process, SIGKILL)
        _ = wait()
    }

    private func wait() -> CInt {
        var status = CInt(0)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
