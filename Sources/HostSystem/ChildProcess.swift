import Glibc
import SystemPackage

/// A process that was started here and is ended with this value.
package struct ChildProcess: ~Copyable {
    package enum End: Equatable, Sendable {
        case exited(status: CInt)
        case killed(signal: CInt)

        /// The end that waitpid(2) tells with `status`: the signal in the low seven bits, else the exit status in the next eight.
        fileprivate init(waitStatus status: CInt) {
            let signal = status & 0x7F
            self = signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
        }
    }

    /// Whom a signal from a terminal reaches.
    package enum Group: Sendable {
        /// This process, and the child as well. Signals that are ignored here are there too, but for SIGPIPE: one that writes to
        /// nobody ends.
        case shared
        /// Not the child. Its signals are as they are by default: the caller's thread may have any of them blocked.
        case own
    }

    private enum State {
        case running(pid_t)
        /// It has ended, and its number may be another's by now.
        case ended(End)
    }

    private let group: Group
    private var state: State

    /// Starts a program, which reads nothing unless it is given a standard input.
    ///
    /// - Parameters:
    ///   - words: its name, which PATH finds if it is no path, and its arguments.
    ///   - group: whom signals reach.
    ///   - descriptors: those of this process that it is given, and what they are to it.
    /// - Throws: the call is the program's name if that cannot be started.
    package init(_ words: [String], group: Group, descriptors: [(CInt, CInt)]) throws(HostSystemError) {
        // Out of the way of the numbers that they are to have.
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
            // What it has started may hold what it was given.
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

    /// How it has ended; nil while it runs. With a group of its own, what it has started and left there is ended too.
    package mutating func endIfOver() -> End? {
        switch state {
        case .ended(let end): return end
        case .running(let process):
            var info = siginfo_t()
            guard waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0, info.si_signo == SIGCHLD else {
                return nil
            }
            switch group {
            // What it has started ends with it. Its number is nobody else's before it is waited for.
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

/// If a program is found, by the rules of posix_spawnp(3).
package enum ProgramSearch {
    package enum Fault: Error, Equatable, Sendable {
        case missing
        /// What has it is no file, or may not be executed.
        case notExecutable
        /// No directory of PATH has an executable file of this name.
        case notInPath
    }

    /// If the system looks where PATH is not set: glibc's confstr(_CS_PATH), as of version 2.24.
    private static let usualDirectories = "/bin:/usr/bin"

    /// - Parameters:
    /// - name: its path, if it has a slash, or else its name.
    /// - directories: the variable PATH, whose empty parts mean the working directory; nil if it is not set.
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
