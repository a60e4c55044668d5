import Glibc
import HostSystem

/// A process that was started here and is ended with this value.
struct ChildProcess: ~Copyable {
    private enum State {
        case running(pid_t)
        /// It has ended, and its number may be another's by now.
        case ended(MachineEnd)
    }

    private var state: State

    /// Starts a program in a process group of its own, which what is typed in a terminal does not reach.
    ///
    /// - Parameters:
    ///   - words: its name, which PATH finds, and its arguments.
    ///   - output: where what it prints goes, errors included.
    ///   - descriptors: those of this process that it is given, and what they are to it, above 2.
    /// - Throws: `.systemCall`.
    init(_ words: [String], output: CInt, descriptors: [(CInt, CInt)]) throws(FirmwareError) {
        // Out of the way of the numbers that they are to have.
        var moved: [(CInt, CInt)] = []
        defer { for (from, _) in moved { close(from) } }
        for (from, to) in descriptors + [(output, 1), (output, 2)] {
            do throws(HostSystemError) {
                moved.append((try Descriptors.duplicate(from, from: 64), to))
            } catch {
                throw FirmwareError(error)
            }
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        for (from, to) in moved { posix_spawn_file_actions_adddup2(&actions, from, to) }
        var attributes = ChildProcess.attributes
        defer { posix_spawnattr_destroy(&attributes) }
        var arguments = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t(0)
        let status = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environ)
        guard status == 0 else { throw .systemCall(words[0], errno: status) }
        state = .running(process)
    }

    /// A group of its own, and signals as they are by default: the caller's thread may have any of them blocked.
    private static var attributes: posix_spawnattr_t {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        var all = sigset_t()
        sigfillset(&all)
        posix_spawnattr_setsigdefault(&attributes, &all)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        return attributes
    }

    deinit {
        switch state {
        case .running(let process):
            kill(process, SIGKILL)
            _ = ChildProcess.wait(for: process)
        case .ended: break
        }
    }

    /// Waits until it has ended.
    mutating func awaitEnd() -> MachineEnd {
        switch state {
        case .ended(let end): return end
        case .running(let process):
            let end = ChildProcess.wait(for: process)
            state = .ended(end)
            return end
        }
    }

    private static func wait(for process: pid_t) -> MachineEnd {
        var status = CInt(0)
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return MachineEnd(waitStatus: status)
    }
}

/// How the emulator's process ended.
package enum MachineEnd: Equatable {
    /// By itself, with a status.
    case exited(status: CInt)
    /// A signal ended it.
    case killed(signal: CInt)

    /// The end that waitpid(2) tells with `status`: the signal in the low seven bits, else the exit status in the next eight.
    init(waitStatus status: CInt) {
        let signal = status & 0x7F
        self = signal == 0 ? .exited(status: status >> 8 & 0xFF) : .killed(signal: signal)
    }
}

extension MachineEnd: CustomStringConvertible {
    package var description: String {
        switch self {
        case .exited(let status): "the firmware's machine ended with status \(status)"
        case .killed(let signal): "the firmware's machine was ended by signal \(signal)"
        }
    }
}
