import ArgumentParser
import Foundation
import HostSystem
import SystemPackage

/// What the command prints where a program may read it.
package enum StandardOutput {
    /// Writes all of a text. It is no error when the reader is gone.
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
        try printJSON(value, [.prettyPrinted])
    }

    /// Prints `value` as JSON on one line.
    package static func printJSONLine(_ value: some Encodable) throws {
        try printJSON(value, [])
    }

    private static func printJSON(_ value: some Encodable, _ formatting: JSONEncoder.OutputFormatting) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = formatting.union([.sortedKeys, .withoutEscapingSlashes])
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            try container.encode(date.formatted(style))
        }
        try StandardOutput.print(String(decoding: try encoder.encode(value), as: UTF8.self) + "\n")
    }

    /// Writes all of a text to the standard output, names and titles in it as they may be shown. It is no error when the reader
    /// is gone.
    ///
    /// - Throws: why it is not all there.
    package static func print(_ text: String) throws(OutputError) {
        try write(PlainLine.lines(text))
    }
}

/// What was printed is not all there.
package struct OutputError: Error, Equatable, CustomStringConvertible {
    package let reason: String

    package var description: String { "cannot write to the standard output: \(reason)" }
}

/// The option `--json`.
package struct OutputOption: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    package var json = false

    package init() {}
}
