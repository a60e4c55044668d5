import Testing

@testable import TapLatency

struct ImageReportTests {
    private func report(p99: Int, place: String = "31,82", format: Int = 1) -> [UInt8] {
        let times = { (p99: Int) in #"{"p50": 30000, "p90": 35000, "p99": \#(p99), "max": \#(p99), "count": 100}"# }
        let text = """
            {"format": \(format), "firmware": "watch.elf", "board": "pinetime", "place": "\(place)", "taps": 100,
             "lastPixel": \(times(p99)), "asleepAgain": \(times(60_000)),
             "parts": [{"name": "processor", "time": \(times(20_000)), "mean": 15000.5}]}
            """
        return Array(text.utf8)
    }

    @Test
    func `Reports of a firmware are compared by the last pixel, the sleep and the parts`() throws {
        let old = try ComparedReport(json: report(p99: 40_000), called: "old.json")
        let same = try ReportComparison(old, old)
        #expect(same.figures.count == 6)
        #expect(same.regressions.isEmpty)
        let new = try ComparedReport(json: report(p99: 50_000), called: "new.json")
        let slower = try ReportComparison(old, new).regressions
        #expect(slower.count == 1)
        #expect(slower.first?.subject == .mark(.updated))
    }

    @Test
    func `Reports of different taps or of another format are refused`() throws {
        let old = try ComparedReport(json: report(p99: 40_000), called: "old.json")
        let other = try ComparedReport(json: report(p99: 40_000, place: "1,2"), called: "other.json")
        #expect(throws: TapLatencyError.self) { try ReportComparison(old, other) }
        #expect(throws: TapLatencyError.self) {
            try ComparedReport(json: report(p99: 1, format: 2), called: "later.json")
        }
    }
}
