import Testing

@testable import soak

struct RangeReportTests {
    @Test func `a report tells every fault, and the promises that were not kept`() throws {
        var report = RangeReport(running: 0...1)
        report.add(RangeReport(losing: 5, because: "the program ended by itself"))
        let text = report.text(of: try SeedRange("0-5"), after: 1)
        #expect(text.contains("seeds 0-5: 3 in 1.0 s, 3.0 a second"))
        #expect(text.contains("NOT KEPT: the program stays up: 1, such as seed 5 (the program ended by itself)\n"))
        for scenario in Scenarios.all {
            #expect(scenario.faults.allSatisfy { text.contains(" \($0.rawValue) ") }, "\(scenario)")
        }
        #expect(RangeReport(json: report.json) == report)
    }

    @Test func `a range is read as it is written, also with the largest seed`() throws {
        let last = UInt64.max
        #expect(try SeedRange("7").description == "7" && SeedRange("0-99").count == 100)
        #expect(try SeedRange("0-\(last)").count == last)
        for text in ["", "-", "9-0", "1-2-3", "x"] {
            #expect(throws: SoakError.notARange(text)) { try SeedRange(text) }
        }
    }
}
