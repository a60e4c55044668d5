import ArgumentParser
import Foundation
import Glibc
import HostSystem
import SystemPackage

package enum StandardOutput {
    /// Writes to the standard output. Does not throw if a pipe's reader has closed the pipe.
    package static func write(_ text: String) throws(OutputError) {
        do {
            try FileDescriptor.standardOutput.writeAll(text.utf8)
        } catch let error as Errno where error == .brokenPipe {
            return
        } catch {
            throw OutputError(reason: "\(error)")
        }
    }

    /// Prints a value as indented JSON with sorted keys. Dates are in ISO 8601, in UTC and with milliseconds.
    package static func printJSON(_ value: some Encodable) throws {
        try StandardOutput.print(try json(value, .prettyPrinted) + "\n")
    }

    fileprivate static func json(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            try container.encode(date.formatted(style))
        }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Like `write`, but replaces control characters, which names and titles may have, with U+FFFD. Keeps line feeds and tabs.
    package static func print(_ text: String) throws(OutputError) {
        try write(SanitizedLine.lines(text))
    }
}

/// A JSON object, written as a dictionary literal. Leaves out each member whose value is nil.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let members: [(String, any Encodable)]

    package init(dictionaryLiteral members: (String, (any Encodable)?)...) {
        self.members = members.compactMap { name, value in value.map { (name, $0) } }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for (name, value) in members { try container.encode(value, forKey: Name(stringValue: name)) }
    }

    package var line: String {
        get throws { try StandardOutput.json(self, []) }
    }
}

package struct OutputError: Error, Equatable, CustomStringConvertible {
    package let reason: String

    package var description: String { "cannot write to the standard output: \(reason)" }
}

package struct OutputOption: ParsableArguments, Sendable {
    @Flag(help: "Print JSON instead of text.")
    package var json = false

    package init() {}

    package func print<Value: Encodable>(
        _ text: @autoclosure () throws -> String, json value: @autoclosure () throws -> Value
    ) throws {
        if json { try StandardOutput.printJSON(try value()) } else { try StandardOutput.print(try text()) }
    }

    /// Prints one event as a line of text, or as a JSON object on one line.
    package func printLine(
        _ text: @autoclosure () throws -> String, json object: @autoclosure () throws -> JSONObject
    ) throws {
        try StandardOutput.print((json ? try object().line : try text()) + "\n")
    }
}

/// Shows progress on standard error. On a terminal, each line overwrites the previous one.
package struct ProgressLine {
    private let isShown: Bool
    private static let width = 24

    package init() {
        let isDumb = ProcessInfo.processInfo.environment["TERM", default: "dumb"] == "dumb"
        isShown = isatty(STDERR_FILENO) == 1 && !isDumb
    }

    /// Shows how much of the work is done, and the name of the present step. If standard error is not a terminal, prints a line
    /// at the start and after each tenth of the work.
    package func show(_ done: Int, of all: Int, _ what: String) {
        let words = "\(done) of \(all)  \(what)"
        if isShown {
            show(UInt64(done), of: UInt64(all), as: words)
        } else if done == 0 || done * 10 / max(all, 1) > (done - 1) * 10 / max(all, 1) {
            say(words)
        }
    }

    package func show(_ done: UInt64, of all: UInt64, as words: String) {
        let bar = BarText.bar(done, of: max(all, 1), width: ProgressLine.width)
        let text = "▕\(done == 0 ? String(repeating: " ", count: ProgressLine.width) : bar)▏ \(words)"
        // A line that is too long would wrap, and could not be overwritten.
        draw(text.padded(to: min(text.count, (TerminalSize.ofStandardOutput?.columns ?? 80) - 1)))
    }

    package func end() { draw("") }

    package func say(_ line: String) {
        end()
        try? FileHandle.standardError.write(contentsOf: Data("\(SanitizedLine(line))\n".utf8))
    }

    private func draw(_ text: String) {
        guard isShown else { return }
        // Carriage return and "erase in line" (ECMA-48 section 8.3.41) clear the line.
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(SanitizedLine(text))".utf8))
    }
}

package struct TerminalSize: Equatable, Sendable {
    package var columns: Int
    package var rows: Int

    package init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }

    /// The size of the terminal on standard output; nil if standard output is a file or a pipe.
    package static var ofStandardOutput: TerminalSize? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}

/// Draws bars with block characters, which can fill eighths of a column.
package enum BarText {
    /// Returns text of `width` columns with a bar for `value`. If the value is `longest` or more, the bar fills all columns. If
    /// the value is above 0, the bar fills at least an eighth of a column.
    package static func bar(_ value: UInt64, of longest: UInt64, width: Int) -> String {
        guard value > 0, longest > 0 else { return String(repeating: " ", count: width) }
        let exact = Double(min(value, longest)) / Double(longest) * Double(width * 8)
        let eighths = max(1, Int(exact.rounded()))
        let whole = String(repeating: "█", count: eighths / 8)
        let rest = eighths % 8 == 0 ? "" : String(parts[eighths % 8 - 1])
        return whole + rest + String(repeating: " ", count: width - whole.count - rest.count)
    }

    private static let parts: [Character] = ["▏", "▎", "▍", "▌", "▋", "▊", "▉"]
}

/// Lays out text in columns. Each character counts as one column, even if a terminal shows it wider.
extension String {
    /// Adds spaces at the end to fill the columns. If the text is longer, cuts it and ends it with an ellipsis.
    package func padded(to columns: Int) -> String {
        count > columns
            ? String(prefix(max(0, columns - 1))) + "…" : self + String(repeating: " ", count: columns - count)
    }

    package func aligned(to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - count)) + self
    }

    /// Splits a text into lines of at most `columns` characters. A longer word has a line of its own.
    package func wrapped(to columns: Int) -> [String] {
        var lines: [String] = []
        for word in split(separator: " ") {
            if let last = lines.last, last.count + 1 + word.count <= columns {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
        return lines
    }
}
