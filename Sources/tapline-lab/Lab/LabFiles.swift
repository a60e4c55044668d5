import CommandSupport
import Foundation
import TapLatency

/// Where the lab's reports go: files, and the terminal unless standard output is one of the files.
struct LabFiles {
    private let json: ReportFile?
    private let html: ReportFile?
    private let trace: ReportFile?
    private let flame: Flame?

    /// The file for a flame graph, in the format that its name asks for.
    private enum Flame {
        case folded(ReportFile)
        case speedscope(ReportFile)

        var file: ReportFile {
            switch self {
            case .folded(let file), .speedscope(let file): file
            }
        }
    }

    /// The files that the command was given.
    ///
    /// - Throws: `ReportFileError` for the first that cannot be written.
    init(json: String?, html: String?, trace: String?, flame: String?) throws(ReportFileError) {
        func file(_ path: String?) throws(ReportFileError) -> ReportFile? {
            guard let path else { return nil }
            return try ReportFile(path: path)
        }
        self.json = try file(json)
        self.html = try file(html)
        self.trace = try file(trace)
        self.flame = try file(flame).map {
            flame?.hasSuffix(".speedscope.json") == true ? .speedscope($0) : .folded($0)
        }
    }

    /// Writes the reports that are wanted.
    func write(json report: [UInt8], html page: String?) throws(ReportFileError) {
        try json?.write(report)
        if let page { try html?.write(Array(page.utf8)) }
    }

    /// Writes a trace, if it is wanted; it is made only then.
    func writeTrace(_ make: () throws -> ChromeTrace) throws {
        guard let trace else { return }
        try trace.write(try make().json)
    }

    /// Writes where the cycles of handlers went, if it is wanted.
    func writeFlame(of reports: [TapReport]) throws(ReportFileError) {
        switch flame {
        case .folded(let file): try file.write(FlameGraph(of: reports).folded)
        case .speedscope(let file): try file.write(FlameGraph(of: reports).speedscope)
        case nil: break
        }
    }

    /// Prints the lines for the terminal's number of columns and its colours.
    func print(_ lines: (Int, TerminalInk) -> [String]) throws(ReportFileError) {
        if [json, html, trace, flame?.file].contains(where: { $0?.isStandardOutput == true }) { return }
        let terminal = TerminalSize.ofStandardOutput
        let ink = TerminalInk(
            isTerminal: terminal != nil, environment: ProcessInfo.processInfo.environment)
        let text = lines(terminal?.columns ?? LabFiles.usualWidth, ink).joined(separator: "\n")
        try ReportFile(path: "-").write(Array((text + "\n").utf8))
    }

    /// Columns of a text for a file or a pipe.
    private static let usualWidth = 100
}
