import ArgumentParser
import CommandSupport
import DeviceModel
import Testing
import Watch

@testable import TapLatency
@testable import tapline_lab

struct LabTextTests {
    private static func times(_ median: UInt64) -> Distribution {
        Distribution(p50: median, p90: median, p99: median + 10, max: median + 10, count: 20)
    }

    private static func marks(_ updated: UInt64?) -> MarkTimes {
        var marks = MarkTimes()
        marks.updated = updated.map(times)
        return marks
    }

    private static func step(
        _ label: String, _ name: String, _ verdict: Verdict, _ updated: UInt64?, isAdded: Bool = false
    ) -> StepReport {
        StepReport(
            step: label, isAdded: isAdded, name: name, hypothesis: "It costs nothing.",
            found: "It waits for the phone.",
            verdict: verdict,
            change: StepChange(
                against: "4", handled: nil, updated: updated.map { Int64($0) - 200 }, settled: nil),
            marks: marks(updated), stages: [])
    }

    private static func handler(_ name: String, _ updated: UInt64) -> TapReport {
        TapReport(
            handler: name, profile: "memory-lcd", profileNumbers: [:], items: 128, database: 2_000, taps: 20, seed: 1,
            marks: marks(updated),
            stages: [
                StageReport(
                    name: "sorting database", placement: .immediate, time: times(5), mean: TimeKinds([.processor: 5])),
                StageReport(
                    name: "complication", placement: .immediate, time: times(95), mean: TimeKinds([.processor: 95])),
            ], dirtyLines: RedrawnLines(update: 2, removal: 68), bytesOnAir: 60, charge: 12, panelFloor: floor)
    }

    private static let floor = PanelFloor(
        updated: Distribution(p50: 168, p90: 168, p99: 168, max: 168, count: 200),
        settled: Distribution(p50: 5_448, p90: 5_448, p99: 5_448, max: 5_448, count: 200))

    private static func resting(_ name: String, _ updated: UInt64) -> TapReport {
        var report = handler(name, updated)
        report.atRest = marks(updated + 300_000)
        return report
    }

    private static let report = LabReport(
        profile: "memory-lcd", items: 128, database: 2_000, taps: 20, seed: 1,
        steps: [
            step("1", "nothing at all", .reference, nil), step("5", "strike-through", .kept, 200),
            step("8", "complication that reloads", .slow, 3_200_000),
            step("17", "message sent after the update", .madeAsynchronous, 1_730),
            step("18a", "haptic after the update", .madeAsynchronous, 1_590, isAdded: true),
        ], legacy: resting("legacy", 3_300_000), shipping: resting("shipping", 190), panelFloor: floor,
        curve: Curve(items: [], loss: []),
        legacyCauses: [
            LegacyPoint(database: 200, packetsPerEvent: 1, updated: times(640_000)),
            LegacyPoint(database: 200, packetsPerEvent: 3, updated: times(210_000)),
            LegacyPoint(database: 5_000, packetsPerEvent: 1, updated: nil),
            LegacyPoint(database: 5_000, packetsPerEvent: 3, updated: times(3_700_000)),
        ], essay: EssayShare.shares(of: handler("legacy", 3_300_000)))

    private func lines(width: Int = 100, _ ink: ReportText.Ink = .plain) -> [String] {
        Self.report.text.lines(width: width, ink)
    }

    @Test func `every step has a row with its number, name, time, change and verdict`() throws {
        let row = try #require(lines().first { $0.contains("complication that reloads") })
        #expect(row.hasPrefix("   8  complication"))
        #expect(row.contains("3.20 s"))
        #expect(row.contains("+3.20 s"))
        #expect(row.hasSuffix("slow"))
        #expect(lines().filter { $0.contains("It waits for the phone.") }.count == 5)
    }

    @Test func `a step that the essay does not have is marked`() {
        #expect(lines().contains { $0.hasPrefix("+18a  haptic after the update") })
        #expect(lines().contains { $0.hasPrefix("  17  message") })
    }

    @Test func `bars are as long as the times, and a step without an update has none`() throws {
        func blocks(_ name: String) throws -> Int {
            try #require(lines().first { $0.contains(name) }).filter { "▏▎▍▌▋▊▉█".contains($0) }.count
        }
        #expect(try blocks("nothing at all") == 0)
        #expect(try blocks("strike-through") == 1)
        #expect(try blocks("complication that reloads") > 10)
    }

    @Test(arguments: [80, 100, 200]) func `no row is wider than the terminal`(width: Int) {
        #expect(lines(width: width).allSatisfy { $0.count <= width })
    }

    @Test func `both handlers are compared`() {
        #expect(lines().contains("shipping updates 17,368 times as fast as legacy"))
    }

    @Test func `taps at rest have rows of their own`() throws {
        let place = try #require(lines().firstIndex { $0.hasPrefix("at rest") })
        let row = lines()[place + 1].split(separator: " ")
        #expect(row == ["updated", "3.60", "s", "3.60", "s", "300", "ms", "300", "ms"])
        #expect(lines()[place + 2].hasPrefix("sent"))
        #expect(lines()[place + 3].hasPrefix("acknowledged"))
    }

    @Test func `legacy has a row for each list and a column for each number of packets`() throws {
        #expect(lines().contains { $0.split(separator: " ") == ["1", "packet", "3", "packets"] })
        #expect(lines().contains { $0.split(separator: " ") == ["200", "items", "640", "ms", "210", "ms"] })
        #expect(lines().contains { $0.split(separator: " ") == ["5,000", "items", "–", "3.70", "s"] })
    }

    @Test func `the conditions of the two major ones and the phone's half have rows, and what is assumed is said`() {
        var report = Self.report
        report.essayCases = [EssayCase("app suspended", "It takes 2.5 s.", Self.handler("legacy", 4_300_000))]
        report.phone = [PhoneRow(name: "it waits", requests: 3, each: .seconds(1), commit: .milliseconds(4))]
        let lines = report.text.lines(width: 80)
        #expect(
            lines.contains {
                $0.split(separator: " ") == ["app", "suspended", "4.30", "s", "5", "µs", "–", "95", "µs"]
            })
        #expect(lines.contains("Assumed: It takes 2.5 s."))
        #expect(lines.contains { $0.split(separator: " ") == ["it", "waits", "3", "3.00", "s"] })
        #expect(lines.allSatisfy { $0.count <= 80 })
    }

    @Test func `each of legacy's stages stands beside what the essay found, and disagreements have a reason`() {
        #expect(
            lines().contains {
                $0.hasPrefix("sorting database") && $0.hasSuffix("5.0 %  one of the two major ones, removed")
            })
        #expect(lines().contains { $0.contains("no cost is tuned to fit") })
        #expect(lines().contains { $0.hasPrefix("sorting database: here the order is a record in flash") })
    }

    @Test func `a stage whose instructions were not counted is named as such`() throws {
        let handler = StageSequence([.immediate(ListModel.self), .immediate(SortingDatabase.self)])
        let noted = try measure(handler, taps: 2).text.lines(width: 100).filter { $0.contains("CPU not counted") }
        #expect(noted.count == 1 && noted[0].hasPrefix("sorting database"))
    }

    @Test func `a terminal of 80 columns has room for a handler`() throws {
        for report in [try measure(ShippingHandler(), taps: 2), try measure(LegacyHandler(), taps: 2)] {
            for line in report.text.lines(width: 80) { #expect(line.count <= 80, "\(line)") }
        }
    }

    @Test func `colours are there for a terminal alone`() {
        #expect(lines(.coloured).contains { $0.contains("\u{1B}[31mslow") })
        #expect(!lines().contains { $0.contains("\u{1B}") })
        #expect(ReportText.Ink(isTerminal: true, environment: ["TERM": "xterm"]) == .coloured)
        #expect(ReportText.Ink(isTerminal: true, environment: ["TERM": "xterm", "NO_COLOR": "1"]) == .plain)
        #expect(ReportText.Ink(isTerminal: true, environment: ["TERM": "dumb"]) == .plain)
        #expect(ReportText.Ink(isTerminal: false, environment: ["TERM": "xterm"]) == .plain)
    }
}

struct ComparisonTextTests {
    /// Returns the text that compares a measured report with a changed copy of it.
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

struct ColumnTextTests {
    @Test func `a column is filled, or cut with a sign`() {
        #expect("haptic".padded(to: 8) == "haptic  ")
        #expect("complication".padded(to: 8) == "complic…")
        #expect("96 µs".aligned(to: 8) == "   96 µs")
        #expect("complication".aligned(to: 8) == "complication")
    }

    @Test func `words are kept whole where a line is wrapped`() {
        #expect("one two three".wrapped(to: 7) == ["one two", "three"])
        #expect("incomprehensibility is long".wrapped(to: 7) == ["incomprehensibility", "is long"])
        #expect("".wrapped(to: 7) == [])
    }
}
