import Glibc
import SystemPackage

/// A child process. When this value is destroyed while the child runs, it kills the child and waits for the child's end. If the
/// child has its own group, it kills the whole group.
package struct ChildProcess: ~Copyable {
    package enum End: Equatable, Sendable {
        case exited(status: CInt)
        case killed(signal: CInt)

        /// - Parameter status: the status from waitpid(2). The low seven bits are the signal; if they are 0, the next eight are
        ///   the exit status.
        fileprivate init(waitStatus status: CInt) {
            let signal = status & 0x7F
            self = signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
        }
    }

    /// The process group of a child. A signal from the terminal goes to a whole process group.
    package enum Group: Sendable {
        /// The child joins this process's group. It ignores the signals that this process ignores, except SIGPIPE: a write to a
        /// closed pipe ends the child.
        case shared
        /// The child has a new group. It neither blocks nor ignores any signal.
        case own
    }

    private enum State {
        case running(pid_t)
        /// The child has ended. The system may already have given the child's process ID to another process.
        case ended(End)
    }

    private let group: Group
    private var state: State

    /// Starts a program. Its standard input is /dev/null unless `descriptors` has a pair for number 0.
    /// - Parameters:
    ///   - words: the program and its arguments. The program is a path, or a name to find in PATH.
    ///   - descriptors: the descriptors to pass on. Each pair has a descriptor of this process, and its number in the child.
    /// - Throws: an error. If the program cannot be started, the error's `call` is the first of `words`.
    package init(_ words: [String], group: Group, descriptors: [(CInt, CInt)]) throws(HostSystemError) {
        // Copies the descriptors to numbers of 64 and above first, so that they do not collide with the child's numbers.
        var moved: [(CInt, CInt)] = []
        defer { for (from, _) in moved { close(from) } }
        for (from, to) in descriptors { moved.append((try Descriptors.duplicate(from, from: 64), to)) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (from, to) in moved { posix_spawn_file_actions_adddup2(&actions, from, to) }
        var attributes = ChildProcess.attributes(group)
        defer { posix_spawnattr_destroy(&attributes) }
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t(0)
        let status = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
        guard status == 0 else { throw HostSystemError(words[0], Errno(rawValue: status)) }
        self.group = group
        state = .running(process)
    }

    private static func attributes(_ group: Group) -> posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var signals = sigset_t()
        switch group {
        case .shared:
            sigemptyset(&signals)
            sigaddset(&signals, SIGPIPE)
            posix_spawnattr_setsigdefault(&attributes, &signals)
            posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        case .own:
            sigemptyset(&signals)
            posix_spawnattr_setsigmask(&attributes, &signals)
            sigfillset(&signals)
            posix_spawnattr_setsigdefault(&attributes, &signals)
            posix_spawnattr_setflags(
                &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        }
        return attributes
    }

    deinit {
        switch state {
        case .running(let process):
            // Programs that the child has started may hold its descriptors, so the whole group is killed.
            switch group {
            case .own: kill(-process, SIGKILL)
            case .shared: kill(process, SIGKILL)
            }
            _ = ChildProcess.wait(for: process)
        case .ended: break
        }
    }

    package mutating func awaitEnd() -> End {
        switch state {
        case .ended(let end): return end
        case .running(let process):
            let end = ChildProcess.wait(for: process)
            state = .ended(end)
            return end
        }
    }

    /// Returns how the child ended; nil while the child runs. Never waits. Once a child with its own group has ended, also
    /// kills the programs that are left in that group.
    package mutating func endIfOver() -> End? {
        switch state {
        case .ended(let end): return end
        case .running(let process):
            var info = siginfo_t()
            guard waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0, info.si_signo == SIGCHLD else {
                return nil
            }
            switch group {
            // The system cannot reuse the group's number before this process waits for the child.
            case .own: kill(-process, SIGKILL)
            case .shared: break
            }
            let end = ChildProcess.wait(for: process)
            state = .ended(end)
            return end
        }
    }

    private static func wait(for process: pid_t) -> End {
        var status = CInt(0)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return End(waitStatus: status)
    }
}

/// Checks whether posix_spawnp(3) would find a program, to explain a failure.
package enum ProgramSearch {
    package enum Fault: Error, Equatable, Sendable {
        case missing
        /// The path exists, but is not a regular file that this process may execute.
        case notExecutable
        case notInPath
    }

    /// The directories to search if PATH is not set: glibc's confstr(_CS_PATH) since version 2.24.
    private static let usualDirectories = "/bin:/usr/bin"

    /// - Parameter directories: the value of PATH, in which an empty part means the working directory; nil if PATH is not set.
    package static func check(_ name: String, in directories: String?) throws(Fault) {
        guard !name.utf8.contains(UInt8(ascii: "/")) else {
            guard exists(name) else { throw .missing }
            guard isExecutable(name) else { throw .notExecutable }
            return
        }
        let places = (directories ?? usualDirectories).split(separator: ":", omittingEmptySubsequences: false)
        guard !name.isEmpty, places.contains(where: { isExecutable($0.isEmpty ? "./\(name)" : "\($0)/\(name)") }) else {
            throw .notInPath
        }
    }

    private static func exists(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0
    }

    private static func isExecutable(_ path: String) -> Bool {
        var information = stat()
        return stat(path, &information) == 0 && information.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
    }
}
