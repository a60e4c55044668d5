import Glibc
import HostSystem
import Synchronization

/// Signals as bytes in a pipe, for a loop that waits for descriptors.
///
/// A process has one at a time, because signal handlers belong to the whole process.
final class SignalPipe {
    /// Readable: a byte for each signal, its number.
    let descriptor: CInt
    private let writeEnd: CInt
    private let previous: [(signal: CInt, action: sigaction)]

    /// The pipe's write end; -1, which `write` refuses, for none. An atomic: a handler may read nothing else.
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

    /// Catches the signals, also after a library has taken one.
    func install() {
        for (signal, _) in previous {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { signal in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: signal)
                // A full pipe holds thousands of signals that are not handled yet: one more makes no difference.
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

/// Stopping and continuing as a job of a shell.
enum JobControl {
    /// Returns once this job has the terminal: one in the background is stopped (SIGTTOU), and its shell says so.
    static func awaitForeground(of terminal: CInt) {
        // It changes nothing, and the system stops a job in the background for it. If the thread blocked the signal, as
        // those of a dispatch queue do, the job would go on.
        SystemThread.receiving(SIGTTOU) { _ = tcdrain(terminal) }
    }

    /// Stops the whole process group, as the terminal does for Ctrl-Z: the shell waits for all of a job. Returns when
    /// the job is continued.
    static func stop() {
        var ignore = sigaction()
        ignore.__sigaction_handler.sa_handler = SIG_IGN
        var caught = sigaction()
        sigaction(SIGTSTP, &ignore, &caught)
        kill(0, SIGTSTP)
        var stop = sigaction()
        stop.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGTSTP, &stop, nil)
        // Sent to this thread, so that it does not run on before the stop takes effect. A thread of a dispatch queue,
        // on which a command runs, blocks every signal.
        SystemThread.receiving(SIGTSTP) { raise(SIGTSTP) }
        sigaction(SIGTSTP, &caught, nil)
    }
}

/// A terminal's input without line editing, echo and signals of keys.
struct RawInput {
    private let descriptor: CInt
    private var before = termios()

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// Takes the terminal's modes as those to restore. Waits for the foreground.
    mutating func start() {
        JobControl.awaitForeground(of: descriptor)
        guard tcgetattr(descriptor, &before) == 0 else { return }
        var raw = before
        cfmakeraw(&raw)
        // Another program may write lines meanwhile.
        raw.c_oflag = before.c_oflag
        tcsetattr(descriptor, TCSANOW, &raw)
    }

    mutating func stop() { tcsetattr(descriptor, TCSANOW, &before) }
}
