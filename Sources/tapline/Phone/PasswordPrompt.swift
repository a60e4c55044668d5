import ArgumentParser
import Foundation
import HostSystem
import Synchronization
import SystemPackage

/// Reads a password from the terminal, which does not show it. If the standard input is not a terminal, reads the first
/// line of the standard input.
enum PasswordPrompt {
    static func read(_ prompt: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try checked(readLine()) }
        let terminal = try SilentTerminal(prompt: SanitizedLine(prompt).text)
        defer { terminal.end() }
        return try checked(terminal.line())
    }

    private static func checked(_ line: String?) throws -> String {
        guard let line, !line.isEmpty else {
            throw ValidationError("A password is needed: type it, or give it on the standard input.")
        }
        return line
    }
}

/// A terminal that does not show what the user types, until `end()`. If a signal stops or ends the program, the terminal first
/// shows input again.
private struct SilentTerminal {
    private static let signals = [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGTSTP]
    /// The writing end of a pipe, to which the signal handler writes each signal's number; -1 if there is no pipe.
    private static let arrivals = Atomic<CInt>(-1)

    private let prompt: String
    private let before: termios
    private let earlierActions: [sigaction]
    private let arrived: CInt
    private let arriving: CInt

    init(prompt: String) throws {
        let ends = try FileDescriptor.pipe()
        (arrived, arriving) = (ends.readEnd.rawValue, ends.writeEnd.rawValue)
        SilentTerminal.arrivals.store(arriving, ordering: .sequentiallyConsistent)
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        before = settings
        self.prompt = prompt
        earlierActions = SilentTerminal.signals.map(SilentTerminal.catchSignal)
        hide()
    }

    func line() -> String? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while bytes.last != UInt8(ascii: "\n") {
            var waits = [STDIN_FILENO, arrived].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            guard poll(&waits, 2, -1) > 0 else {
                guard errno == EINTR else { return nil }
                continue
            }
            if waits[1].revents != 0 {
                var number: UInt8 = 0
                if Glibc.read(arrived, &number, 1) == 1 { leave(CInt(number)) }
                continue
            }
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        guard !bytes.isEmpty else { return nil }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    func end() {
        for (number, action) in zip(SilentTerminal.signals, earlierActions) {
            var action = action
            sigaction(number, &action, nil)
        }
        SilentTerminal.arrivals.store(-1, ordering: .sequentiallyConsistent)
        close(arrived)
        close(arriving)
        show()
    }

    /// Lets the signal stop or end the program. If the program continues, it prompts again.
    private func leave(_ number: CInt) {
        show()
        // The earlier action might not end the program. At SIGQUIT, Swift prints the threads and continues.
        signal(number, SIG_DFL)
        SystemThread.receiving(number) { _ = raise(number) }
        _ = SilentTerminal.catchSignal(number)
        hide()
    }

    /// Installs a handler that writes the signal's number to `arrivals`, and returns the signal's earlier action.
    private static func catchSignal(_ number: CInt) -> sigaction {
        var (action, before) = (sigaction(), sigaction())
        action.sa_flags = SA_RESTART
        action.__sigaction_handler.sa_handler = { number in
            let kept = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(SilentTerminal.arrivals.load(ordering: .sequentiallyConsistent), &byte, 1)
            errno = kept
        }
        sigaction(number, &action, &before)
        return before
    }

    private func hide() {
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        // The prompt comes last. So what the user types after it is hidden, and is not flushed.
        FileHandle.standardError.write(Data(prompt.utf8))
    }

    private func show() {
        var before = before
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
        FileHandle.standardError.write(Data("\n".utf8))
    }
}
