import ArgumentParser
import Foundation
import HostSystem

/// Reads a password: from the terminal without showing it, or the first line of the standard input.
enum PasswordPrompt {
    static func read(_ prompt: String) throws -> String {
        guard isatty(STDIN_FILENO) == 1 else { return try line() }
        FileHandle.standardError.write(Data(PlainLine(prompt).text.utf8))
        var before = termios()
        tcgetattr(STDIN_FILENO, &before)
        var silent = before
        silent.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        return try line()
    }

    private static func line() throws -> String {
        guard let line = readLine(strippingNewline: true), !line.isEmpty else {
            throw ValidationError("A password is needed: type it, or give it on the standard input.")
        }
        return line
    }
}
