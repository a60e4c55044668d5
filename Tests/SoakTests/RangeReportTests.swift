import Testing

@testable import soak

struct RangeReportTests {
    private func set(_ ranges: String...) throws -> SeedSet {
        var set = SeedSet()
        for range in ranges { set.add(try SeedRange(range)) }
        return set
    }

    @Test func rangesJoinAndWhatIsMissingOrTwiceIsKnown() throws {
        let set = try set("50-99", "0-49", "200-299", "90-210", "400")
        #expect(set.ranges.map(\.description) == ["0-299", "400"])
        #expect(set.gaps.map(\.description) == ["300-399"])
        #expect(set.repeated.map(\.description) == ["90-99", "200-210"])
        #expect(set.count == 301)
    }

    @Test func theLargestSeedsAreSeedsLikeOthers() throws {
        let last = UInt64.max
        #expect(try set("0-\(last)").count == last)
        #expect(try set("\(last)", "\(last - 1)").ranges.map(\.description) == ["\(last - 1)-\(last)"])
    }

    @Test func mergingTellsOfSeedsThatAreMissingOrCountTwice() throws {
        var report = RangeReport(running: 0...1)
        report.add(RangeReport(running: 1...1))
        report.add(RangeReport(losing: 5, because: "the program ended by itself"))
        let text = report.text(.waited(1))
        #expect(text.contains("seeds 0-1, 5: 3 in 1.0 s"))
        #expect(text.contains("MISSING: seeds 2-4\n"))
        #expect(text.contains("COUNTED TWICE: seeds 1\n"))
        #expect(text.contains("NOT KEPT: the program stays up: 1, such as seed 5 (the program ended by itself)\n"))
        for scenario in Scenarios.all {
            #expect(scenario.faults.allSatisfy { text.contains(" \($0.rawValue) ") }, "\(scenario)")
        }
    }

    @Test func aReportIsReadAsItWasWritten() throws {
        var report = RangeReport(running: 1...1)
        report.add(RangeReport(losing: 9, because: "the program ended by itself"))
        #expect(try RangeReport.reports(in: report.json + "\n") == [report])
        #expect(throws: SoakError.notAReport(line: 2)) { try RangeReport.reports(in: report.json + "\n{}") }
    }
}
