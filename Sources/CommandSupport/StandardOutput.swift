import ArgumentParser
import Foundation
import Glibc
import HostSystem
import SystemPackage

/// What a command prints for the user or for a program.
package enum StandardOutput {
    /// Writes all of a text. A reader that has gone is no error.
    package static func write(_ text: String) throws(OutputError) {
        do {
            try FileDescriptor.standardOutput.writeAll(text.utf8)
        } catch let error as Errno where error == .brokenPipe {
            return
        } catch {
            throw OutputError(reason: "\(error)")
        }
    }

    /// Prints `value` as JSON: sorted keys, times in ISO 8601 with milliseconds, UTC.
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

    /// Writes all of a text to the standard output, without control characters in its names and titles. A reader that has gone is
    /// no error.
    ///
    /// - Throws: the reason if the text is incomplete.
    package static func print(_ text: String) throws(OutputError) {
        try write(SanitizedLine.lines(text))
    }
}

/// A JSON object. Members whose value is nil are left out.
package struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    package typealias Value = (any Encodable)?

    private let members: [(String, any Encodable)]

    package init(dictionaryLiteral members: (String, Value)...) {
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

package struct OutputOption: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    package var json = false

    package init() {}

    /// Prints a text, or with `--json` the value instead.
    package func print<Value: Encodable>(
        _ text: @autoclosure () throws -> String, json value: @autoclosure () throws -> Value
    ) throws {
        if json { try StandardOutput.printJSON(try value()) } else { try StandardOutput.print(try text()) }
    }
}

/// A progress line on standard error. On a terminal it overwrites itself.
package struct ProgressLine {
    private let isShown: Bool
    private static let width = 24

    package init() {
        let isDumb = ProcessInfo.processInfo.environment["TERM", default: "dumb"] == "dumb"
        isShown = isatty(STDERR_FILENO) == 1 && !isDumb
    }

    /// Shows that `done` of `all` measurements are made, and the current one. Without a terminal it prints a line at the start
    /// and after each tenth.
    package func show(_ done: Int, of all: Int, _ what: String) {
        let words = "\(done) of \(all)  \(what)"
        if isShown {
            show(UInt64(done), of: UInt64(all), as: words)
        } else if done == 0 || done * 10 / max(all, 1) > (done - 1) * 10 / max(all, 1) {
            say(words)
        }
    }

    /// Shows which part of the work is done, with a text after the bar.
    package func show(_ done: UInt64, of all: UInt64, as words: String) {
        let bar = BarText.bar(done, of: max(all, 1), width: ProgressLine.width)
        let text = "▕\(done == 0 ? String(repeating: " ", count: ProgressLine.width) : bar)▏ \(words)"
        // A wrapped line could not be erased.
        draw(text.padded(to: min(text.count, (TerminalSize.ofStandardOutput?.columns ?? 80) - 1)))
    }

    package func end() { draw("") }

    /// Prints a line that stays.
    package func say(_ line: String) {
        end()
        try? FileHandle.standardError.write(contentsOf: Data("\(SanitizedLine(line))\n".utf8))
    }

    private func draw(_ text: String) {
        guard isShown else { return }
        // Back to the left, and clear to the right: carriage return and erase in line, ECMA-48 section 8.3.41.
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

    /// The size of the terminal on standard output, nil if that is a file or a pipe.
    package static var ofStandardOutput: TerminalSize? {
        guard isatty(STDOUT_FILENO) == 1 else { return nil }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
        return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
    }
}

/// A bar of block characters, in eighths of a column.
package enum BarText {
    /// A bar of `width` columns, filled by the ratio of `value` to `longest`. The bar of a value above 0 is never empty.
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

/// Text in columns. The lab's own texts have characters of one column each.
extension String {
    /// Cut, or padded on the right, to a width in columns.
    package func padded(to columns: Int) -> String {
        count > columns
            ? String(prefix(max(0, columns - 1))) + "…" : self + String(repeating: " ", count: columns - count)
    }

    /// Padded on the left to a width in columns.
    package func aligned(to columns: Int) -> String {
        String(repeating: " ", count: max(0, columns - count)) + self
    }

    /// The words in lines of at most this width in columns; a longer word gets a line of its own.
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
