import Glibc
import HostSystem
import Synchronization

/// Turns signals into bytes in a pipe, for a loop that waits for descriptors.
///
/// A process can have only one `SignalPipe` at a time, because signal handlers belong to the whole process.
package final class SignalPipe {
    /// The read end of the pipe. Each caught signal writes one byte: the signal's number.
    package let descriptor: CInt
    private let writeEnd: CInt
    private let previous: [(signal: CInt, action: sigaction)]

    /// The write end of the open pipe, or -1 if no pipe is open. It is atomic because a signal handler reads it.
    private static let target = Atomic<CInt>(-1)

    /// Catches the signals until `close`.
    ///
    /// - Throws: `.systemCall` if the process is out of file descriptors.
    package init(_ signals: [CInt]) throws(TerminalError) {
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

    /// Installs the handlers again, because a library may have replaced them.
    package func install() {
        for (signal, _) in previous {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { signal in
                let saved = errno
                var byte = UInt8(truncatingIfNeeded: signal)
                // A full pipe holds thousands of signals, so a lost one makes no difference.
                _ = write(SignalPipe.target.load(ordering: .sequentiallyConsistent), &byte, 1)
                errno = saved
            }
            action.sa_flags = SA_RESTART
            sigaction(signal, &action, nil)
        }
    }

    package func drain() -> [CInt] {
        var signals: [CInt] = []
        var byte: UInt8 = 0
        while read(descriptor, &byte, 1) == 1 { signals.append(CInt(byte)) }
        return signals
    }

    package func close() {
        for (signal, action) in previous {
            var action = action
            sigaction(signal, &action, nil)
        }
        SignalPipe.target.store(-1, ordering: .sequentiallyConsistent)
        Glibc.close(descriptor)
        Glibc.close(writeEnd)
    }
}

/// Makes this process behave as a job of a shell: it waits for the foreground, and it can be stopped and continued.
package enum JobControl {
    /// Waits until this job is in the foreground of the terminal. Until then, the system stops the job with SIGTTOU, and the
    /// shell reports that.
    package static func awaitForeground(of terminal: CInt) {
        // `tcdrain` changes nothing, but the system stops a background job that calls it. The thread must not block SIGTTOU, as
        // threads of a dispatch queue do; otherwise the call would return at once.
        SystemThread.receiving(SIGTTOU) { _ = tcdrain(terminal) }
    }

    /// Stops the whole process group, as the terminal does for Ctrl-Z, because the shell waits for all processes of a job.
    /// Returns when the shell continues the job.
    package static func stop() {
        var ignore = sigaction()
        ignore.__sigaction_handler.sa_handler = SIG_IGN
        var caught = sigaction()
        sigaction(SIGTSTP, &ignore, &caught)
        kill(0, SIGTSTP)
        var stop = sigaction()
        stop.__sigaction_handler.sa_handler = SIG_DFL
        sigaction(SIGTSTP, &stop, nil)
        // The signal must reach this thread, so that the thread does not run on before the stop. A command's thread may belong
        // to a dispatch queue, where every signal is blocked.
        SystemThread.receiving(SIGTSTP) { raise(SIGTSTP) }
        sigaction(SIGTSTP, &caught, nil)
    }
}

/// Puts a terminal into raw mode, without line editing, echo and signals from keys.
struct RawInput {
    private let descriptor: CInt
    private var before = termios()

    init(_ descriptor: CInt) { self.descriptor = descriptor }

    /// Waits until this job is in the foreground, then turns raw mode on.
    mutating func start() {
        JobControl.awaitForeground(of: descriptor)
        guard tcgetattr(descriptor, &before) == 0 else { return }
        var raw = before
        cfmakeraw(&raw)
        // Output keeps its modes, because another program may write lines during the session.
        raw.c_oflag = before.c_oflag
        tcsetattr(descriptor, TCSANOW, &raw)
    }

    mutating func stop() { tcsetattr(descriptor, TCSANOW, &before) }
}
