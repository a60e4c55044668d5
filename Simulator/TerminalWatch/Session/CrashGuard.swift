import Glibc
import Synchronization

/// Restores the terminal when the program crashes.
///
/// A crash skips every `defer`, so without a guard the terminal would stay in raw mode and on the alternate screen, with mouse
/// reports. The guard's signal handler writes a constant text, restores the terminal's saved modes, and restores the signal's
/// previous action. Then it raises the signal again, so that a crash reporter receives it.
package enum CrashGuard {
    static let signals: [CInt] = [SIGSEGV, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE]

    /// Escape sequences that end what the program may have switched on: text attributes, mouse reports (buttons, drags, all
    /// motion, SGR), bracketed paste, side margins, application keypad and cursor keys, hidden cursor, alternate screen.
    static var restoringText: StaticString {
        """
        \u{1B}[m\u{1B}[?1000l\u{1B}[?1002l\u{1B}[?1003l\u{1B}[?1006l\u{1B}[?2004l\
        \u{1B}[?69l\u{1B}[?1l\u{1B}>\u{1B}[?25h\u{1B}[?1049l\r\n
        """
    }

    private struct Saved {
        var descriptor: CInt
        var modes: termios
        var actions: (sigaction, sigaction, sigaction, sigaction, sigaction, sigaction)
    }

    /// The address of the saved state; 0 if no terminal is guarded. It is atomic, because a signal handler may read no other
    /// kind of variable.
    private static let saved = Atomic<UInt>(0)

    /// Guards the terminal at `descriptor` until `stop()`. Does nothing if a terminal is already guarded, or if `descriptor` is
    /// no terminal.
    package static func start(descriptor: CInt) {
        var modes = termios()
        guard tcgetattr(descriptor, &modes) == 0, saved.load(ordering: .sequentiallyConsistent) == 0 else { return }
        let memory = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
        memory.initialize(
            to: Saved(
                descriptor: descriptor, modes: modes,
                actions: (sigaction(), sigaction(), sigaction(), sigaction(), sigaction(), sigaction())))
        withActions(of: memory) { actions in
            // The previous actions are saved first, because a signal may come before all of them are replaced.
            for (index, signal) in signals.enumerated() { sigaction(signal, nil, &actions[index]) }
            saved.store(UInt(bitPattern: memory), ordering: .sequentiallyConsistent)
            for signal in signals {
                var action = sigaction()
                action.__sigaction_handler.sa_sigaction = { number, info, _ in
                    CrashGuard.handle(number, isSent: (info?.pointee.si_code ?? 0) <= 0)
                }
                action.sa_flags = SA_ONSTACK | SA_SIGINFO
                sigaction(signal, &action, nil)
            }
        }
    }

    package static func stop() {
        let address = saved.exchange(0, ordering: .sequentiallyConsistent)
        guard let memory = UnsafeMutablePointer<Saved>(bitPattern: address) else { return }
        withActions(of: memory) { actions in
            for (index, signal) in signals.enumerated() { sigaction(signal, &actions[index], nil) }
        }
        memory.deallocate()
    }

    /// Restores the terminal, then raises the signal again. Allocates no memory, takes no lock, and makes only calls that
    /// signal-safety(7) lists. The parameter `isSent` is true if a process sent the signal, and false if an instruction of this
    /// program faulted.
    private static func handle(_ number: CInt, isSent: Bool) {
        let address = saved.exchange(0, ordering: .sequentiallyConsistent)
        guard let memory = UnsafeMutablePointer<Saved>(bitPattern: address) else {
            // Another thread has crashed, or this thread has crashed in the handler. The default action ends the program.
            signal(number, SIG_DFL)
            raise(number)
            return
        }
        _ = write(memory.pointee.descriptor, restoringText.utf8Start, restoringText.utf8CodeUnitCount)
        tcsetattr(memory.pointee.descriptor, TCSANOW, &memory.pointee.modes)
        if isSent && number != SIGABRT {
            // Swift's own handler would wait for a second fault, which never comes.
            signal(number, SIG_DFL)
        } else {
            withActions(of: memory) { actions in
                _ = sigaction(number, &actions[place(of: number)], nil)
            }
        }
        raise(number)
    }

    /// The index of a signal in `signals`. A signal handler must not use the array itself, because Swift may take a lock to
    /// access it.
    private static func place(of number: CInt) -> Int {
        switch number {
        case SIGSEGV: 0
        case SIGILL: 1
        case SIGTRAP: 2
        case SIGABRT: 3
        case SIGBUS: 4
        default: 5
        }
    }

    private static func withActions(
        of memory: UnsafeMutablePointer<Saved>, _ body: (UnsafeMutablePointer<sigaction>) -> Void
    ) {
        withUnsafeMutableBytes(of: &memory.pointee.actions) { bytes in
            // A tuple of equal types has the memory layout of an array.
            guard let base = bytes.baseAddress else { return }
            body(base.assumingMemoryBound(to: sigaction.self))
        }
    }
}
