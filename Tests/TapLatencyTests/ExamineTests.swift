import Testing
import Watch
import WatchLink

@testable import TapLatency

@Suite struct ExamineTests {
    private struct AllImmediate: ComposedTapHandler {
        var stages: some TapHandler {
            Immediate(ListModel.self)
            Immediate(RowRemoval.self)
            Immediate(SlowStage.self)
            Immediate(AwaitedPhoneMessage.self)
            Immediate(ReloadingComplication.self)
        }
    }

    @Test func `A planted slow stage is found and named`() throws {
        let stages = try #require(StageSequence(of: ShippingAfter<ComputingStage>())).stages
        let trial = try examine(
            CompiledSubject(name: "planted", placed: stages, ownCode: .none), under: .countingComputingStage)
        #expect(trial.verdict == .exceeds)
        #expect(trial.culprit == "computing")
        let first = try #require(trial.stages.first)
        #expect(first.stage == "computing")
        #expect(first.verdict == .exceeds)
        // 960,000 cycles at 64 MHz, and what comes between two stages; the clock shows whole
        // microseconds.
        #expect((15_001...15_003).contains(try #require(first.change)), "\(first.change ?? 0)")
        #expect(trial.stages.dropFirst().allSatisfy { $0.verdict == .late })
    }

    @Test func `A handler within its budget is reported as such, without advice`() throws {
        let trial = try examine(ShippingHandler(), taps: 5)
        #expect(trial.verdict == .kept)
        #expect(trial.culprit == nil)
        #expect(trial.stages.count == 8)
        #expect(trial.stages.allSatisfy { $0.verdict == .kept && $0.advice.isEmpty })
    }

    @Test func `Advice is what the measurements support`() throws {
        let trial = try examine(AllImmediate(), taps: 8)
        let advice = Dictionary(uniqueKeysWithValues: trial.stages.map { ($0.stage, $0.advice) })
        #expect(advice["list model"] == [])
        #expect(advice["slow"] == [.drop])
        // After the list was loaded it would come too late: the item would be on the list again.
        #expect(advice["message to the phone"] == [])
    }

    @Test func `A stage that waits for what the watch knows is advised to be put off, or to use that`() throws {
        let stages: [PlacedStage] = [
            .immediate(ListModel.self), .immediate(RowRemoval.self), .immediate(PhoneMessage.self),
            .immediate(ReloadingComplication.self),
        ]
        let trial = try examine(StageSequence(stages), taps: 8)
        // Without the stage the complication shows the item that was checked off. What it waits for tells nothing new.
        #expect(trial.stages.last?.advice == [.defer, .cache])
    }

    @Test func `A message that is waited for is advised to be put off`() throws {
        let stages: [PlacedStage] = [
            .immediate(ListModel.self), .immediate(RowRemoval.self), .immediate(AwaitedPhoneMessage.self),
        ]
        let trial = try examine(StageSequence(stages), items: 8, taps: 8)
        #expect(trial.stages.last?.advice == [.defer])
    }

    @Test func `A row that never goes has no time to go`() throws {
        let stages: [PlacedStage] = [
            .immediate(ListModel.self), .immediate(StrikeThrough.self), .deferred(PhoneMessage.self),
        ]
        let trial = try examine(StageSequence(stages), items: 8, taps: 20)
        #expect(trial.whole.marks.settled == nil)
        #expect(trial.whole.marks.updated?.count == 20)
        #expect(trial.whole.marks.acknowledged?.count == 20)
    }

    @Test func `What waits for an answer that tells nothing new is advised to keep it`() throws {
        let stages: [PlacedStage] = [
            .immediate(ListModel.self), .immediate(RowRemoval.self), .immediate(AwaitedPhoneMessage.self),
            .immediate(AskingStage.self),
        ]
        let trial = try examine(StageSequence(stages), items: 8, taps: 8)
        let asking = try #require(trial.stages.last)
        #expect(asking.verdict == .late)
        #expect(asking.advice.contains(.cache))
        #expect(!asking.advice.contains(.drop))
    }
}

@Suite struct BudgetTests {
    @Test func `A budget that is not kept is reported with the stage that takes most`() throws {
        let report = try Conditions.countingComputingStage.report(
            of: ShippingAfter<ComputingStage>(), called: "planted")
        #expect(!report.keeps(.updated, within: .milliseconds(8)))
        #expect(report.keeps(.updated, within: .milliseconds(16)))
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .milliseconds(8)) }
        #expect(
            error?.description.contains("8.00 ms are allowed: stage 'computing' takes 15.0 ms of it, 100 % CPU") == true
        )
    }

    @Test func `A stage that begins after a mark is not to blame for it`() {
        // The record is in flash long before the complication is looked after.
        #expect(TapReport.legacySample.slowestStage(until: .durable)?.name == "sorting database")
        #expect(TapReport.legacySample.slowestStage(until: .updated)?.name == "complication")
        #expect(TapReport.shippingSample.slowestStage(until: .updated)?.name == "row removal")
    }

    @Test func `A row that goes waits for a deferred stage that is longer than the row stays struck`() {
        var report = TapReport.shippingSample
        #expect(report.slowestStage(until: .settled)?.name == "row removal")
        report.stages[3].mean[.flash] = 400_000
        report.stages[3].time = .around(400_000)
        #expect(report.slowestStage(until: .settled)?.name == "message to the phone")
    }

    @Test func `A mark that some taps never reached is reported with their number`() {
        var report = TapReport.shippingSample
        report.marks.settled = Distribution(p50: 12, p90: 12, p99: 12, max: 12, count: 150)
        #expect(throws: TapLatencyError.budgetExceeded("handler 'shipping' is settled after only 150 of 200 taps")) {
            try report.require(.settled, within: .seconds(9))
        }
    }

    @Test func `A mark that is never reached has no time`() throws {
        let report = try measure(StageSequence([.immediate(Haptic.self)]), taps: 2, name: "haptic alone")
        #expect(!report.keeps(.settled, within: .seconds(9)))
        #expect(throws: TapLatencyError.markNotReached(.settled, handler: "haptic alone")) {
            try report.require(.settled, within: .seconds(9))
        }
    }
}
