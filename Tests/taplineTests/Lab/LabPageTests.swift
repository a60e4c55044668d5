import Foundation
import TapLatency
import Testing

@testable import tapline_lab

struct LabPageTests {
    /// The page of a report, and the JSON that stands in it.
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
