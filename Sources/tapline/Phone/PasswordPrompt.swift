import ArgumentParser
import Foundation
import HostSystem

/// Reads a password: from the terminal without showing it, or the first line of the standard input.
enum PasswordPrompt {
    static func read(_ prompt: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try line() }
        let terminal = SilentTerminal(prompt: PlainLine(prompt).text)
        defer { terminal.end() }
        return try line()
    }

    private static func line() throws -> String {
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw ValidationError("A password is needed: type it, or give it on the standard input.")
        }
        return line
    }
}

/// A terminal that does not show what is typed, until `end()`, or while a signal has ended or stopped this program.
private struct SilentTerminal {
    private let before: termios
    private let sources: [any DispatchSourceSignal]
    /// One signal after the other.
    private let queue: DispatchQueue

    init(prompt: String) {
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        let before = settings
        let queue = DispatchQueue(label: "tapline.password")
        // Each would leave a silent terminal behind.
        let leaving = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP].map { number in
            SilentTerminal.source(of: number, queue) {
                SilentTerminal.show(before)
                signal(number, SIG_DFL)
                kill(getpid(), number)
            }
        }
        SilentTerminal.start(leaving)
        var caught = sigaction()
        sigaction(SIGTSTP, nil, &caught)
        let coming = SilentTerminal.source(of: SIGCONT, queue) { [caught] in
            var caught = caught
            sigaction(SIGTSTP, &caught, nil)
            SilentTerminal.hide(before, prompt)
        }
        SilentTerminal.start([coming])
        self.before = before
        self.queue = queue
        sources = leaving + [coming]
        SilentTerminal.hide(before, prompt)
    }

    /// Shows what is typed again, and leaves signals to the system.
    func end() {
        queue.sync {
            for source in sources {
                source.cancel()
                signal(CInt(source.handle), SIG_DFL)
            }
            SilentTerminal.show(before)
        }
    }

    /// Waits until signals arrive at these. Until then they do what they usually do.
    private static func start(_ sources: [any DispatchSourceSignal]) {
        let registered = DispatchGroup()
        for source in sources {
            registered.enter()
            source.setRegistrationHandler { registered.leave() }
            source.resume()
        }
        registered.wait()
    }

    private static func source(
        of number: CInt, _ queue: DispatchQueue, _ body: @escaping @Sendable () -> Void
    ) -> any DispatchSourceSignal {
        let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
        source.setEventHandler(handler: body)
        return source
    }

    private static func hide(_ before: termios, _ prompt: String) {
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        // Whoever sees it may type: nothing that comes after it is shown or lost.
        FileHandle.standardError.write(Data(prompt.utf8))
    }

    private static func show(_ before: termios) {
        var before = before
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        FileHandle.standardError.write(Data("\n".utf8))
    }
}
