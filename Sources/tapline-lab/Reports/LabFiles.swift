import CommandSupport
import Foundation

/// The files to which the lab writes a report. If none of them is standard output, the report's text is printed to standard
/// output.
struct LabFiles {
    private let json: ReportFile?
    private let html: ReportFile?
    private let flame: ReportFile?

    init(json: String?, html: String? = nil, flame: String? = nil) throws(ReportFileError) {
        func file(_ path: String?) throws(ReportFileError) -> ReportFile? {
            guard let path else { return nil }
            return try ReportFile(path: path)
        }
        self.json = try file(json)
        self.html = try file(html)
        self.flame = try file(flame)
    }

    /// - Parameter stacks: the executed functions as folded stacks, from which other tools draw flame graphs.
    func write(
        _ text: ReportText, json report: [UInt8], html page: @autoclosure () -> [UInt8] = [],
        flame stacks: @autoclosure () -> [UInt8] = []
    ) throws(ReportFileError) {
        try json?.write(report)
        if let html { try html.write(page()) }
        if let flame { try flame.write(stacks()) }
        if [json, html, flame].contains(where: { $0?.isStandardOutput == true }) { return }
        try ReportFile(path: "-").write(Array(text.forStandardOutput.utf8))
    }

    /// Makes a web page that needs no other file. Inserts the report as JSON into `template`, whose script draws the report.
    static func page(_ template: [UInt8], _ json: [UInt8]) -> [UInt8] {
        // In JSON, `<` occurs only in strings. It is escaped, so that it cannot end the script element.
        let report = String(decoding: json, as: UTF8.self).replacing("<", with: "\\u003c")
        let place = #"<script type="application/json" id="report">{}"#
        let page = String(decoding: template, as: UTF8.self)
        return Array(page.replacing(place, with: place.dropLast(2) + report, maxReplacements: 1).utf8)
    }
}

/// A file for a report, or standard output. Its initializer checks that the file can be written, before anything is measured.
struct ReportFile {
    /// The file's path; nil for standard output.
    private let path: String?

    init(path: String) throws(ReportFileError) {
        guard path != "-" else {
            self.path = nil
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
        self.path = path
    }

    var isStandardOutput: Bool { path == nil }

    /// Writes the report. If that fails, an existing file stays as it was.
    func write(_ bytes: [UInt8]) throws(ReportFileError) {
        guard let path else {
            do throws(OutputError) { return try StandardOutput.write(String(decoding: bytes, as: UTF8.self)) } catch {
                throw ReportFileError(path: "to the standard output", reason: error.reason)
            }
        }
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

struct ReportFileError: Error, Equatable, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "cannot write \(path): \(reason)" }
}
