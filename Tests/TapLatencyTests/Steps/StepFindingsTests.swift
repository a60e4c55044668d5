import Testing

@testable import TapLatency

@Suite struct StepFindingsTests {
    /// A handler that is updated after `updated` microseconds, with one stage that takes some of them.
    private func report(updated: UInt64, _ name: String, _ kinds: TimeKinds) -> TapReport {
        var report = TapReport.shippingSample
        report.marks.updated = .around(updated)
        report.stages = [.sample(name, .immediate, kinds)]
        return report
    }

    private func verdict(
        of step: Int, _ report: TapReport, before: TapReport, earlier: TapReport? = nil
    ) -> Verdict {
        let step = LabStep.all[step - 1]
        let evidence = StepEvidence(
            report: report, before: before, earlierStage: earlier?.stages.first, budget: .tapToUpdate)
        return step.judge(evidence).verdict
    }

    @Test func `A stage is slow that breaks the budget, and not one that finds it broken`() {
        let fast = report(updated: 200, "haptic", TimeKinds(haptic: 5))
        let slow = report(updated: 58_000, "haptic", TimeKinds(haptic: 5))
        let little = report(updated: 58_010, "sorting database", TimeKinds(processor: 10))
        let much = report(updated: 116_000, "sorting database", TimeKinds(flash: 58_000))
        #expect(verdict(of: 11, much, before: fast) == .slow)
        #expect(verdict(of: 11, much, before: slow) == .slow)
        #expect(verdict(of: 11, little, before: slow) == .refuted)
        #expect(verdict(of: 11, fast, before: fast) == .refuted)
    }

    @Test func `A trivial stage is kept where the step before was too slow already`() {
        let fast = report(updated: 200, "haptic", TimeKinds(haptic: 5))
        let slow = report(updated: 58_000, "haptic", TimeKinds(haptic: 5))
        #expect(verdict(of: 4, slow, before: slow) == .kept)
        #expect(verdict(of: 4, slow, before: fast) == .slow)
    }

    @Test func `A stage is fixed that takes less, whatever the others take`() {
        let was = report(updated: 5_058_000, "complication", TimeKinds(radio: 5_000_000))
        let now = report(updated: 58_000, "complication", TimeKinds(processor: 9))
        #expect(verdict(of: 10, now, before: was, earlier: was) == .fixed)
        #expect(verdict(of: 10, was, before: was, earlier: was) == .refuted)
    }

    @Test func `A hypothesis about a stage's time holds where most of it is of that kind`() {
        let waits = report(updated: 40_000, "message to the phone", TimeKinds(radio: 20_000, phone: 10_000))
        let writes = report(
            updated: 40_000, "message to the phone", TimeKinds(flash: 20_000, radio: 9_000, phone: 1_000))
        #expect(verdict(of: 16, waits, before: waits) == .attributed)
        #expect(verdict(of: 16, writes, before: writes) == .refuted)
    }
}
