import CommandSupport
import Foundation
import Testing

@testable import tapline_lab

final class ReportFileTests {
    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("tapline-lab-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: directory)
    }

    private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    @Test func `a report is written whole, over one that was there`() throws {
        try Data("an older and longer report".utf8).write(to: URL(fileURLWithPath: path("a.json")))
        try ReportFile(path: path("a.json")).write(Array("{}".utf8))
        #expect(try String(contentsOfFile: path("a.json"), encoding: .utf8) == "{}")
    }

    @Test func `where nothing can be written is known before anything is measured`() throws {
        #expect(throws: ReportFileError(path: directory.path, reason: "it is a directory")) {
            try ReportFile(path: directory.path)
        }
        #expect(throws: ReportFileError(path: path("no/a.json"), reason: "there is no directory \(path("no"))")) {
            try ReportFile(path: path("no/a.json"))
        }
        #expect(!FileManager.default.fileExists(atPath: path("no")))
    }

    @Test func `a device takes a report too, and stays one`() throws {
        try ReportFile(path: "/dev/null").write(Array("{}".utf8))
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
    }

    @Test func `a hyphen is standard output`() throws {
        #expect(try ReportFile(path: "-").isStandardOutput)
    }
}
