import Foundation
import Testing
import Watch

@testable import TapLatency

@Suite struct ComparedReportTests {
    /// Why a text is refused.
    private func refusal(_ text: String) throws -> String {
        let error = #expect(throws: TapLatencyError.self) {
            try ComparedReport(json: Array(text.utf8), called: "main.json")
        }
        let description = try #require(error?.description)
        #expect(!description.contains("\n"))
        return description
    }

    private static let report = String(decoding: TapReport.shippingSample.json, as: UTF8.self)
    private static let whole = String(decoding: LabReport.sample.json, as: UTF8.self)

    @Test(arguments: [
        ("", "main.json: it is empty: write it with tapline lab --json"),
        (" \n", "main.json: it is empty: write it with tapline lab --json"),
        ("no report", "main.json: it is not JSON: write it with tapline lab --json"),
        ("{]}", "main.json: it is not JSON: write it with tapline lab --json"),
        ("[1, 2]", "main.json: it is JSON, but no report of the lab: write it with tapline lab --json"),
        ("{}", "main.json: it is JSON, but no report of the lab: write it with tapline lab --json"),
        ("7", "main.json: it is JSON, but no report of the lab: write it with tapline lab --json"),
        (
            #"{"handler": "shipping"}"#,
            "main.json: it is a report of an older tapline, without a format number: measure again, and write it with "
                + "tapline lab --json"
        ),
        (
            #"{"format": 2, "handler": "shipping"}"#,
            "main.json: its format is 2, and this tapline reads 1: measure both reports with the same tapline"
        ),
        (
            #"{"legacy": {"format": 1}, "shipping": {}}"#,
            "main.json: it is a report of an older tapline, without a format number: measure again, and write it with "
                + "tapline lab --json"
        ),
        (#"{"format": 1, "handler": "x"}"#, "main.json: it has no 'profile': write it with tapline lab --json again"),
    ])
    func `What is no report of this format is refused with what to do`(text: String, why: String) throws {
        #expect(try refusal(text) == why)
    }

    @Test func `A report that was cut anywhere is refused`() throws {
        for text in [Self.report, Self.whole] {
            let bytes = Array(text.utf8)
            for share in 1...20 {
                let cut = bytes[..<(bytes.count * share / 21)]
                let error = #expect(throws: TapLatencyError.self) {
                    try ComparedReport(json: Array(cut), called: "main.json")
                }
                #expect(error?.description.hasPrefix("main.json: it ") == true)
            }
            #expect(try refusal(String(text.prefix(text.count / 2))).contains("it ends in the middle") == true)
        }
    }

    @Test func `A figure that is none is named`() throws {
        let text = Self.report.replacingOccurrences(of: #""p99" : 2631"#, with: #""p99" : -1"#)
        #expect(try refusal(text).contains("a number of it is none that the lab writes: write it"))
        let word = Self.report.replacingOccurrences(of: #""p99" : 2631"#, with: #""p99" : "long""#)
        #expect(try refusal(word).contains("its 'updated.p99' is none that the lab writes: write it"))
        let missing = Self.whole.replacingOccurrences(of: #""instructionCount""#, with: #""other""#)
        #expect(try refusal(missing).contains("it has no 'legacy.stages[0].instructionCount'"))
        let key = Self.report.replacingOccurrences(of: #""panel.bus_hertz" : 2000000"#, with: #""a\nb" : "x""#)
        #expect(try refusal(key).contains("profileNumbers"))
    }

    @Test func `Bytes that are no text are refused`() {
        #expect(throws: TapLatencyError.self) {
            try ComparedReport(json: [0x7B, 0xFF, 0xFE, 0x7D], called: "main.json")
        }
    }

    @Test func `A measured report is read as it was written`() throws {
        let report = try measure(ShippingHandler(), taps: 2)
        #expect(!report.profileNumbers.isEmpty)
        let read = try #require(ComparedReport(json: report.json, called: "a").handlers.first)
        #expect(read.marks == report.marks)
        #expect(read.measured.stages.map(\.time) == report.stages.map(\.time))
        #expect(read.measured.profileNumbers == report.profileNumbers)
    }
}
