import ArgumentParser
import Foundation
import HostSystem

/// Reads a password: from the terminal without showing it, or the first line of the standard input.
enum PasswordPrompt {
    static func read(_ prompt: String) throws -> String {
        let terminal = isatty(STDIN_FILENO) == 1 ? SilentTerminal(prompt: SanitizedLine(prompt).text) : nil
        defer { terminal?.end() }
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw ValidationError("A password is needed: type it, or give it on the standard input.")
        }
        return line
    }
}

/// A terminal that does not show what is typed, until `end()`, or while a signal has ended or stopped this program.
private struct SilentTerminal {
    /// Each would leave a silent terminal behind.
    private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP]

    private let prompt: String
    private let before: termios
    /// What each signal did before.
    private let actions: [sigaction]
    private let sources: [any DispatchSourceSignal]

    init(prompt: String) {
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        let before = settings
        (self.prompt, self.before) = (prompt, before)
        actions = SilentTerminal.signals.map { number in
            var action = sigaction()
            sigaction(number, nil, &action)
            return action
        }
        sources = SilentTerminal.signals.map { number in
            signalSource(number) {
                SilentTerminal.show(before)
                // Not what it did before: Swift prints the threads at SIGQUIT, and goes on.
                signal(number, SIG_DFL)
                SystemThread.receiving(number) { _ = raise(number) }
                // The program goes on after a stop.
                signal(number, SIG_IGN)
                SilentTerminal.hide(before, prompt)
            }
        }
        SilentTerminal.hide(before, prompt)
    }

    /// Shows what is typed again, and restores the earlier signal handlers.
    func end() {
        sources.forEach { $0.cancel() }
        for (number, action) in zip(SilentTerminal.signals, actions) {
            var action = action
            sigaction(number, &action, nil)
        }
        SilentTerminal.show(before)
    }

    private static func hide(_ before: termios, _ prompt: String) {
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        // What is typed after the prompt is neither shown nor lost.
        FileHandle.standardError.write(Data(prompt.utf8))
    }

    private static func show(_ before: termios) {
        var before = before
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        FileHandle.standardError.write(Data("\n".utf8))
    }
}
