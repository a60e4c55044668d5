import Foundation
import HostSystem

/// A progress line on standard error, drawn over itself; nothing where standard error is no terminal.
package struct ProgressLine {
    /// Who sees the line.
    private enum Viewer {
        case nobody
        case terminal
    }

    private let viewer: Viewer
    private static let width = 24

    package init() {
        let isDumb = ProcessInfo.processInfo.environment["TERM", default: "dumb"] == "dumb"
        viewer = isatty(STDERR_FILENO) == 1 && !isDumb ? .terminal : .nobody
    }

    /// Shows that `done` of `all` measurements are made, and what is measured now.
    package func show(_ done: Int, of all: Int, _ what: String) {
        show(UInt64(done), of: UInt64(all), as: "\(done) of \(all)  \(what)")
    }

    /// Shows how much of a whole is done, with a text behind the bar.
    package func show(_ done: UInt64, of all: UInt64, as words: String) {
        let bar = BarText.bar(done, of: max(all, 1), width: ProgressLine.width)
        let text = "▕\(done == 0 ? String(repeating: " ", count: ProgressLine.width) : bar)▏ \(words)"
        // A line that is wrapped could not be taken away.
        draw(text.padded(to: min(text.count, (TerminalSize.ofStandardOutput?.columns ?? 80) - 1)))
    }

    package func end() { draw("") }

    /// Says something that stays, as a line of its own.
    package func say(_ line: String) {
        end()
        try? FileHandle.standardError.write(contentsOf: Data("\(PlainLine(line))\n".utf8))
    }

    private func draw(_ text: String) {
        switch viewer {
        case .nobody: break
        // Back to the left, and clear to the right: carriage return and erase in line, ECMA-48 section 8.3.41.
        case .terminal: try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(PlainLine(text))".utf8))
        }
    }
}
