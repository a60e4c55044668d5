import Testing
import Watch
import WatchLink

@testable import TapLatency

struct StepReportTests {
    private func chance(_ p50: UInt64, _ max: UInt64, change: Int64?, again: UInt64?) -> String? {
        var marks = MarkTimes()
        marks.updated = Distribution(p50: p50, p90: p50, p99: max, max: max, count: 100)
        let control = ControlRun(
            seed: 2, taps: 100, updated: again.map { Distribution(p50: $0, p90: $0, p99: $0, max: $0, count: 100) })
        return control.chance(of: marks, StepChange(against: "3", updated: change))
    }

    @Test func `the spread and the control run are a sentence, unless the control run has no update`() {
        #expect(chance(168, 168, change: 4, again: nil) == nil)
        #expect(
            chance(168, 170, change: 4, again: 169)
                == "p99 170 µs, longest 170 µs; control (seed 2, 100 taps): 169 µs (+1 µs)")
        #expect(
            chance(168, 168, change: 4, again: 168)
                == "no tap took longer; control (seed 2, 100 taps): 168 µs (±0 µs)")
    }

    @Test func `a change that chance alone makes is called so`() {
        #expect(chance(168, 168, change: 4, again: 172)?.hasSuffix(", as much as the step has changed") == true)
        #expect(chance(168, 168, change: -4, again: 163)?.hasSuffix(", as much as the step has changed") == true)
        #expect(chance(168, 168, change: 0, again: 168)?.hasSuffix("(±0 µs)") == true)
    }

    @Test func `what is missing is said of the whole handler`() {
        #expect(
            StageAbsence(stage: "haptic", missing: [.haptic, .message]).sentence
                == "the whole handler without 'haptic': nothing is felt, the phone does not learn of it")
        #expect(
            StageAbsence(stage: "sorting database", missing: []).sentence
                == "the whole handler without 'sorting database': nothing is missing")
    }
}

struct EssayShareTests {
    private func shares(_ times: [(String, Double)]) -> [EssayShare] {
        var report = TapReport.legacySample
        report.stages = times.map { .sample($0.0, .immediate, TimeKinds([.processor: $0.1])) }
        return EssayShare.shares(of: report)
    }

    @Test func `a share is of the time of all stages`() {
        #expect(shares([("haptic", 100), ("complication", 300)]).map(\.share) == [0.25, 0.75])
        #expect(shares([]) == [])
        // The essay does not have this stage.
        #expect(shares([("confetti", 1)]).map(\.finding) == [nil])
    }

    @Test func `a reason stands where a major duty takes little or another one takes much`() {
        let found = shares([("sorting database", 1), ("message to the phone", 50), ("complication", 49), ("haptic", 0)])
        #expect(found[0].reason != nil && found[0].finding == "one of the two major ones, removed")
        #expect(found[1].reason == nil && found[1].finding == "one of the two major ones, made asynchronous")
        #expect(found[2].reason != nil && found[2].finding == "slow: its trigger reloaded a database")
        #expect(found[3].reason == nil && found[3].finding == "no effect")
    }

    @Test func `every stage of the handler as it had grown is in the essay`() {
        let stages = StageSequence(of: LegacyHandler())?.stages ?? []
        #expect(stages.count == 9)
        #expect(shares(stages.map { ($0.name, 1) }).allSatisfy { $0.finding != nil })
    }
}

@Suite struct InstructionCountTests {
    @Test func `A stage is counted if its package has counted it`() throws {
        let conditions = Conditions.countingComputingStage
        let counted = try conditions.report(of: ShippingAfter<ComputingStage>(), called: "counted")
        #expect(counted.stages.allSatisfy { $0.instructionCount == .counted })
    }

    @Test func `A stranger's stage is not counted, and JSON and errors say it`() throws {
        let report = try measure(ShippingAfter<SlowStage>(), taps: 3)
        #expect(report.stages.filter { $0.instructionCount == .notCounted }.map(\.name) == ["slow"])
        #expect(String(decoding: report.json, as: UTF8.self).contains(#""instructionCount" : "not counted""#))
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .milliseconds(1)) }
        // An unknown time exceeds every budget.
        #expect(error?.description.hasPrefix("stage 'slow' takes a time that is not known: ") == true)
        #expect(error?.description.contains("tapline count") == true)
        #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .seconds(60)) }
    }

    private struct Impostor: TapStage {
        static var name: StaticString { Haptic.name }

        static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    @Test func `A stranger's stage with the name of one of Tapline's is not charged as that one`() throws {
        let report = try measure(
            StageSequence([.immediate(ListModel.self), .immediate(StrikeThrough.self), .deferred(Impostor.self)]),
            taps: 1)
        #expect(report.stages.last?.instructionCount == .notCounted)
        #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .seconds(60)) }
    }
}
