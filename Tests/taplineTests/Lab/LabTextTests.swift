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

    private static func step(_ number: Int, _ name: String, _ verdict: Verdict, _ updated: UInt64?) -> StepReport {
        StepReport(
            step: number, name: name, hypothesis: "It costs nothing.", found: "It waits for the phone.",
            verdict: verdict,
            change: StepChange(
                against: number - 1, handled: nil, updated: updated.map { Int64($0) - 200 }, settled: nil),
            marks: marks(updated), stages: [])
    }

    private static func handler(_ name: String, _ updated: UInt64) -> TapReport {
        TapReport(
            handler: name, profile: "memory-lcd", profileNumbers: [:], items: 128, database: 2_000, taps: 20, seed: 1,
            marks: marks(updated),
            stages: [
                StageReport(
                    name: "sorting database", placement: .immediate, time: times(5), mean: TimeKinds(processor: 5)),
                StageReport(
                    name: "complication", placement: .immediate, time: times(95), mean: TimeKinds(processor: 95)),
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
            step(1, "nothing at all", .reference, nil), step(5, "strike-through", .kept, 200),
            step(8, "complication that reloads", .slow, 3_200_000),
            step(17, "message sent after the update", .madeAsynchronous, 1_730),
        ], legacy: resting("legacy", 3_300_000), shipping: resting("shipping", 190), panelFloor: floor,
        firmware: FirmwareComparison(stages: [FirmwareComparison.Stage(name: "haptic", modelled: 10, measured: 10.25)]),
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
        #expect(lines().filter { $0.contains("It waits for the phone.") }.count == 4)
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

    @Test func `both handlers are compared, and the model with the firmware`() throws {
        #expect(lines().contains("shipping updates 17,368 times as fast as legacy"))
        let stage = try #require(lines().last)
        #expect(stage.contains("10.0 µs") && stage.contains("10.3 µs") && stage.hasSuffix("+2.50 %"))
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
