import Testing

@testable import TapLatency
@testable import tapline_lab

struct EssayTableTests {
    private static let report: LabReport = {
        let times = Distribution(p50: 9, p90: 9, p99: 9, max: 9, count: 1)
        func stage(_ name: String, _ time: Double) -> StageReport {
            StageReport(name: name, placement: .immediate, time: times, mean: TimeKinds(processor: time))
        }
        let floor = PanelFloor()
        let handler = TapReport(
            handler: "legacy", profile: "memory-lcd", profileNumbers: [:], items: 128, database: 2_000, taps: 1,
            seed: 1,
            marks: MarkTimes(), stages: [stage("sorting database", 5), stage("complication", 95)],
            dirtyLines: RedrawnLines(update: 2, removal: 68), bytesOnAir: 60, charge: 12, panelFloor: floor)
        return LabReport(
            profile: "memory-lcd", items: 128, database: 2_000, taps: 1, seed: 1, steps: [], legacy: handler,
            shipping: handler, panelFloor: floor, curve: Curve(items: [], loss: []))
    }()

    @Test func `each stage stands beside what the essay found, and disagreements have a reason`() {
        let lines = EssayTable(report: Self.report, width: 100, ink: .plain).lines
        #expect(
            lines.contains {
                $0.hasPrefix("sorting database") && $0.hasSuffix("5.0 %  one of the two major ones, removed")
            })
        #expect(lines.contains { $0.contains("no cost is tuned to fit") })
        #expect(lines.contains { $0.hasPrefix("sorting database: here the order is a record in flash") })
        #expect(lines.allSatisfy { $0.count <= 100 })
    }
}
