import CommandSupport
import Foundation
import TapLatency

/// Where a report of the lab goes: to files, and to the terminal unless one of them is standard output.
struct LabFiles {
    private let json: ReportFile?
    private let html: ReportFile?
    private let flame: ReportFile?

    /// - Throws: `ReportFileError` for the first file that cannot be written.
    init(json: String?, html: String? = nil, flame: String? = nil) throws(ReportFileError) {
        func file(_ path: String?) throws(ReportFileError) -> ReportFile? {
            guard let path else { return nil }
            return try ReportFile(path: path)
        }
        self.json = try file(json)
        self.html = try file(html)
        self.flame = try file(flame)
    }

    func write(json report: [UInt8], html page: [UInt8]? = nil) throws(ReportFileError) {
        try json?.write(report)
        if let page { try html?.write(page) }
    }

    func writeFlame(of reports: [TapReport]) throws(ReportFileError) {
        try flame?.write(reports.foldedStacks)
    }

    func writeFlame(_ lines: [String]) throws(ReportFileError) {
        try flame?.write(Array(lines.joined().utf8))
    }

    /// Prints a report, unless another one goes to standard output.
    func print(_ text: ReportText) throws(ReportFileError) {
        if [json, html, flame].contains(where: { $0?.isStandardOutput == true }) { return }
        try ReportFile(path: "-").write(Array(text.forStandardOutput.utf8))
    }
}

/// A file for a report, or standard output. Its initializer checks that the file can be written, before anything is measured.
struct ReportFile {
    private enum Place {
        case standardOutput
        case file(String)
    }

    private let place: Place

    /// - Parameter path: the path of the file; `-` means standard output.
    init(path: String) throws(ReportFileError) {
        guard path != "-" else {
            place = .standardOutput
            return
        }
        if path.isEmpty { throw ReportFileError(path: "a report", reason: "its path is empty") }
        if path.hasSuffix("/") { throw ReportFileError(path: path, reason: "it is a directory") }
        do throws(CommandFailure) { _ = try path.resolvedPath() } catch {
            throw ReportFileError(path: path, reason: error.description)
        }
        let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let files = FileManager.default
        var isDirectory: ObjCBool = false
        if files.fileExists(atPath: path, isDirectory: &isDirectory) {
            if isDirectory.boolValue { throw ReportFileError(path: path, reason: "it is a directory") }
            if !files.isWritableFile(atPath: path) { throw ReportFileError(path: path, reason: "permission denied") }
        } else if !files.fileExists(atPath: directory, isDirectory: &isDirectory) || !isDirectory.boolValue {
            throw ReportFileError(path: path, reason: "there is no directory \(directory)")
        } else if !files.isWritableFile(atPath: directory) {
            throw ReportFileError(path: path, reason: "permission denied")
        }
        place = .file(path)
    }

    var isStandardOutput: Bool {
        switch place {
        case .standardOutput: true
        case .file: false
        }
    }

    /// Writes the report. If that fails, an existing file stays as it was.
    func write(_ bytes: [UInt8]) throws(ReportFileError) {
        switch place {
        case .standardOutput:
            do throws(OutputError) {
                try StandardOutput.write(String(decoding: bytes, as: UTF8.self))
            } catch {
                throw ReportFileError(path: "to the standard output", reason: error.reason)
            }
        case .file(let path):
            do {
                // A device such as /dev/null cannot be replaced by another file.
                let attributes = try? FileManager.default.attributesOfItem(atPath: path)
                let type = attributes?[.type] as? FileAttributeType
                let options: Data.WritingOptions = type == nil || type == .typeRegular ? .atomic : []
                try Data(bytes).write(to: URL(fileURLWithPath: path), options: options)
            } catch {
                throw ReportFileError(path: path, reason: error.localizedDescription)
            }
        }
    }
}

struct ReportFileError: Error, Equatable, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "cannot write \(path): \(reason)" }
}
