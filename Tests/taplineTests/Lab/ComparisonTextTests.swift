import ArgumentParser
import TapLatency
import Testing
import Watch

@testable import tapline_lab

struct ComparisonTextTests {
    /// The lines for a measured report and what a change makes of it.
    private func lines(
        width: Int = 100, _ ink: ReportText.Ink = .plain, within tolerance: Tolerance = .usual,
        _ change: (inout TapReport) -> Void
    ) throws -> [String] {
        let old = try measure(ShippingHandler(), taps: 2)
        var new = old
        change(&new)
        let comparison = try ReportComparison(
            ComparedReport(json: old.json, called: "main.json"), ComparedReport(json: new.json, called: "new.json"),
            within: tolerance)
        return comparison.text.lines(width: width, ink)
    }

    @Test func `What is the same is counted alone`() throws {
        let lines = try lines { _ in }
        #expect(lines[0].hasPrefix("main.json -> new.json: memory-lcd, 128 items on the watch, 2,000 on the phone"))
        #expect(lines.suffix(2) == ["30 of 30 figures are kept", "0 of 30 figures are slower by more than 2 %"])
        #expect(!lines.contains("shipping"))
    }

    @Test func `The last line has the number of the slower figures and the worst of them`() throws {
        let lines = try lines { $0.stages.removeLast() }
        #expect(lines.last?.hasPrefix("2 of 30 figures are lost: stage complication p50 of ") == true)
        #expect(lines.last?.hasSuffix(" is gone, and 1 more") == true)
        #expect(lines.contains { $0.hasPrefix("  stage complication") && $0.hasSuffix("gone") })
    }

    @Test(arguments: [80, 100, 200])
    func `No row is wider than the terminal, and the columns stand below each other`(width: Int) throws {
        let rows = try lines(width: width) { report in
            report.stages[0].name = "a stage of a name that is longer than any column of a table should ever be"
            report.marks.updated = report.marks.settled
        }
        #expect(rows.dropLast().allSatisfy { $0.count <= width })
        let head = try #require(rows.first { $0.hasSuffix("change") })
        let row = try #require(rows.first { $0.hasPrefix("  updated") && $0.contains("p50") })
        let end = try #require(row.firstRange(of: " %")?.upperBound)
        #expect(row.distance(from: row.startIndex, to: end) == head.count)
    }

    @Test func `A name from a file does not reach the terminal as it is`() throws {
        let rows = try lines(.coloured) { $0.stages[0].name = "\u{1B}[2J" }
        #expect(!rows.contains { $0.contains("\u{1B}[2J") })
        #expect(rows.contains { $0.contains("\u{1B}[31mgone\u{1B}[0m") })
    }

    @Test func `Whatever keeps two reports from being compared is told from a slower one by its status`() {
        let compare = ["lab", "compare", "a", "b"]
        let failure = TapLatencyError.tolerance("x")
        #expect(LabCompareCommand.status(of: failure, usual: .failure, arguments: compare) == ExitCode(2))
        #expect(LabCompareCommand.status(of: failure, usual: .validationFailure, arguments: compare) == ExitCode(2))
        #expect(LabCompareCommand.status(of: ExitCode(1), usual: .failure, arguments: compare) == .failure)
        #expect(LabCompareCommand.status(of: CleanExit.helpRequest(), usual: .success, arguments: compare) == .success)
        #expect(LabCompareCommand.status(of: failure, usual: .failure, arguments: ["lab"]) == .failure)
    }

    @Test func `The lab's own options still measure, and compare takes JSON wherever it stands`() throws {
        #expect(try TaplineLab.parseAsRoot(["lab", "--taps", "5", "--json", "compare"]) is LabCommand)
        for words in [["--json", "c", "a", "b"], ["a", "b", "--json", "c"], ["a", "--json=c", "b"]] {
            let command = try #require(try TaplineLab.parseAsRoot(["lab", "compare"] + words) as? LabCompareCommand)
            #expect([command.old, command.new, command.lab.json] == ["a", "b", "c"])
        }
        #expect(throws: (any Error).self) { try TaplineLab.parseAsRoot(["lab", "compare", "a", "b", "--taps", "5"]) }
        #expect(throws: (any Error).self) { try TaplineLab.parseAsRoot(["lab", "compare", "a", "b", "--json", "a"]) }
    }
}
