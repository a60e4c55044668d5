import Glibc
import HostSystem
import Synchronization

/// Turns signals into bytes in a pipe, for a loop that waits for descriptors.
///
/// A process has at most one at a time, because signal handlers belong to the whole process.
final class SignalPipe {
    /// The pipe's read end. Each caught signal adds one byte: the number of the signal.
    let descriptor: CInt
    private let writeEnd: CInt
    private let previous: [(signal: CInt, action: sigaction)]

    /// The pipe's write end, or -1, which `write` refuses. It is atomic, because a signal handler may read nothing else.
    private static let target = Atomic<CInt>(-1)

    /// Catches `signals` until `close`.
    ///
    /// - Throws: `.systemCall` if there are no descriptors left.
    init(_ signals: [CInt]) throws(TerminalError) {
        do throws(HostSystemError) {
            (descriptor, writeEnd) = try Descriptors.pipe()
            try Descriptors.setNonBlocking(descriptor)
            try Descriptors.setNonBlocking(writeEnd)
        } catch {
            throw TerminalError(error)
        }
        SignalPipe.target.store(writeEnd, ordering: .sequentiallyConsistent)
        previous = signals.map { signal in
            var action = sigaction()
            sigaction(signal, nil, &action)
            return (signal, action)
        }
        install()
    }

    /// Catches the signals, even if a library has replaced a handler.
    func install() {
        for (signal, _) in previous {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { signal in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: signal)
                // A full pipe holds thousands of unhandled signals, so losing one makes no difference.
                _ = write(SignalPipe.target.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = saved
            }
            action.sa_flags = SA_RESTART
            sigaction(signal, &action, nil)
        }
    }

    func drain() -> [CInt] {
        var signals: [CInt] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1 { signals.append(CInt(byte)) }
        return signals
    }

    func close() {
        for (signal, action) in previous {
            var action = action
            sigaction(signal, &action, nil)
        }
        SignalPipe.target.store(-1, ordering: .sequentiallyConsistent)
        Glibc.close(descriptor)
        Glibc.close(writeEnd)
    }
}

/// Stops and continues the program as a job of a shell.
enum JobControl {
    /// Returns once this job has the terminal. The system stops a job in the background (SIGTTOU), and its shell says so.
    static func awaitForeground(of terminal: CInt) {
        // The call changes nothing, but the system stops a background job for it. If the thread blocked the signal, as threads of
        // a dispatch queue do, the job would continue.
        SystemThread.receiving(SIGTTOU) { _ = tcdrain(terminal) }
    }

    /// Stops the whole process group, as the terminal does for Ctrl-Z, because the shell waits for all of a job. Returns when the
    /// job is continued.
    static func stop() {
        var ignore = sigaction()
        ignore.__sigaction_handler.sa_handler = SIG_IGN
        var caught = sigaction()
        sigaction(SIGTSTP, &ignore, &caught)
        kill(0, SIGTSTP)
        var stop = sigaction()
        stop.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGTSTP, &stop, nil)
        // The signal is for this thread, so that it does not continue before the stop. A command runs on a thread of a dispatch
        // queue, which blocks every signal.
        SystemThread.receiving(SIGTSTP) { raise(SIGTSTP) }
        sigaction(SIGTSTP, &caught, nil)
    }
}

/// A terminal's input without line editing, echo and signals from keys.
struct RawInput {
    private let descriptor: CInt
    private var before = termios()

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// Saves the terminal's modes for the end. Waits for the foreground.
    mutating func start() {
        JobControl.awaitForeground(of: descriptor)
        guard tcgetattr(descriptor, &before) == 0 else { return }
        var raw = before
        cfmakeraw(&raw)
        // Another program may write lines during the session.
        raw.c_oflag = before.c_oflag
        tcsetattr(descriptor, TCSANOW, &raw)
    }

    mutating func stop() { tcsetattr(descriptor, TCSANOW, &before) }
}
