import Foundation
import TapLatency
import TestSupport
import Testing

@testable import tapline_lab

struct LabPageTests {
    private func page(_ change: (inout LabReport) -> Void = { _ in }) throws -> (text: String, json: String) {
        var report = try Lab(Conditions(items: 8, taps: 1, database: 8), steps: 1...2).run()
        change(&report)
        let text = String(decoding: report.page, as: UTF8.self)
        let begin = try #require(text.firstRange(of: #"id="report">"#)).upperBound
        let end = try #require(text[begin...].firstRange(of: "</script>")).lowerBound
        return (text, String(text[begin..<end]))
    }

    @Test func `the report stands in the page as it is written as JSON`() throws {
        var json: [UInt8] = []
        let found = try page { json = $0.json }.json
        let read = try JSONSerialization.jsonObject(with: Data(found.utf8)) as? NSDictionary
        #expect(try JSONSerialization.jsonObject(with: Data(json)) as? NSDictionary == read)
    }

    @Test func `a name cannot end the element that the report stands in`() throws {
        let name = "</script><script>alert(1)</script>"
        let found = try page { $0.legacy.handler = name }
        #expect(!found.text.contains(name))
        let read = try JSONSerialization.jsonObject(with: Data(found.json.utf8)) as? [String: Any]
        #expect((read?["legacy"] as? [String: Any])?["handler"] as? String == name)
    }

    @Test func `the page needs nothing but itself`() throws {
        let text = try page().text
        for part in [" src=", "href=", "@import", "url(", "fetch(", "import("] {
            #expect(!text.contains(part), "\(part)")
        }
    }
}

struct ReportFileTests {
    private let directory = TemporaryDirectory()

    private func path(_ name: String) -> String { directory.file(name) }

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
