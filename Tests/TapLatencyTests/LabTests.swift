import DeviceModel
import Foundation
import Testing
import Watch

@testable import TapLatency

@Suite struct LabTests {
    @Test func `The nineteen steps tell the story`() throws {
        let report = try Lab(Conditions(taps: 10)).run()
        let added = ["18a", "18b", "18c", "18d"]
        #expect(report.steps.map(\.step) == (1...18).map { "\($0)" } + added + ["19"])
        #expect(report.steps.filter(\.isAdded).map(\.step) == ["13", "16", "18"] + added)
        let verdicts = Dictionary(uniqueKeysWithValues: report.steps.map { ($0.step, $0.verdict) })
        #expect(verdicts["1"] == .reference)
        for step in 2...7 { #expect(verdicts["\(step)"] == .kept, "step \(step)") }
        #expect(verdicts["8"] == .slow)
        #expect(verdicts["9"] == .attributed)
        #expect(verdicts["10"] == .fixed)
        #expect(verdicts["13"] == .improved)
        #expect(verdicts["14"] == .removed)
        #expect(verdicts["15"] == .slow)
        #expect(verdicts["17"] == .madeAsynchronous)
        #expect(verdicts["18"] == .proven)
        for step in added { #expect(verdicts[step] == .madeAsynchronous, "step \(step)") }
        #expect(verdicts["19"] == .predicted)
        // Step 18 cuts the power during its taps, so its marks belong to interrupted taps.
        let changes = report.steps.filter { $0.step != "18" }.compactMap(\.change?.updated)
        let (first, last) = (report.steps.first?.marks.updated, report.steps.last?.marks.updated)
        let whole = Int64(try #require(last).p50) - Int64(try #require(first).p50)
        #expect(changes.reduce(0, +) == whole)
    }

    @Test func `From the remaining count on each step changes one stage, and the last changes none`() {
        func placed(_ step: LabStep) -> [String: String] {
            let running = step.stages.filter(\.runs).map { ($0.name, "\($0.stage) \($0.placement)") }
            return Dictionary(uniqueKeysWithValues: running)
        }
        for (before, step) in zip(LabStep.all, LabStep.all.dropFirst()) where step.number >= 7 {
            let (old, new) = (placed(before), placed(step))
            let changed = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
            #expect(changed.count <= (step.number == 19 ? 0 : 1), "step \(step.label): \(changed)")
        }
        let last = LabStep.all.dropLast().last?.stages ?? []
        #expect(last.map(\.name) == OwnHandler.shipping.stages.map(\.name))
    }

    @Test func `Power is cut while the phone does not know of the tap, and nothing is lost`() throws {
        let stages = LabStep.all[17].stages
        let proof = try Conditions(taps: 30).bench(of: stages).cutProof()
        #expect(proof.holds && proof.taps == 30)
        // These taps had their row still on the panel, struck through, when the power was cut.
        let cutOff = proof.reached.filter { !$0.contains(.settled) }
        #expect(cutOff.count > 3)
        #expect(cutOff.allSatisfy { $0.contains(.durable) })
        #expect(cutOff.contains { !$0.contains(.acknowledged) })
    }

    @Test func `The cuts of a step leave the choice of rows as it is`() throws {
        let steps = try Lab(Conditions(taps: 20), steps: 17...18).run().steps
        // Both steps tap the same rows, but the taps begin at other fractions of a microsecond. So times may differ by
        // 1 µs.
        #expect(abs(try #require(steps[1].change?.updated)) <= 1)
        let handled = (try #require(steps[0].marks.handled), try #require(steps[1].marks.handled))
        #expect(handled.0.p50.distance(to: handled.1.p50).magnitude <= 1)
        #expect(handled.0.max.distance(to: handled.1.max).magnitude <= 1)
    }

    @Test func `The attributions are of the stage that was added, and name the kind of time`() throws {
        let report = try Lab(Conditions(taps: 5), steps: 9...16).run()
        let found = Dictionary(uniqueKeysWithValues: report.steps.map { ($0.step, $0.found) })
        #expect(found["9"]?.contains("'complication': waiting for the window") == true)
        #expect(found["12"]?.contains("'sorting database': flash 100 %") == true)
        #expect(found["16"]?.contains("'message to the phone': waiting for the window") == true)
    }

    @Test func `A shorter list on the watch is a shorter one on the phone, and the report says so`() throws {
        let report = try Lab(Conditions(items: 8, taps: 3), steps: 1...1).run()
        // The lab measures the causes only if it runs all steps.
        #expect(report.legacyCauses == nil && report.essayCases == nil)
        #expect(report.database == 8)
        #expect(report.legacy.database == 8)
        #expect(try Lab(Conditions(items: 8, taps: 3, database: 4), steps: 1...1).run().database == 8)
    }

    @Test func `A tap at rest updates as fast, and the phone's answer takes longer`() throws {
        for report in [
            try Lab(Conditions(taps: 5)).measure(.shipping), try Lab(Conditions(taps: 5), steps: 1...1).run().shipping,
        ] {
            let atRest = try #require(report.atRest)
            let updated = (try #require(report.marks.updated), try #require(atRest.updated))
            #expect(updated.1.p50 <= updated.0.p50 + 1)
            let sent = (try #require(report.marks.sent), try #require(atRest.sent))
            #expect(sent.1.p50 <= sent.0.max)
            // At rest, connection events are 45 ms apart instead of 15 ms. One event carries the message, and the next
            // one carries the answer.
            let acknowledged = (try #require(report.marks.acknowledged), try #require(atRest.acknowledged))
            #expect(acknowledged.1.p50 > acknowledged.0.max)
            #expect((45_000...100_000).contains(acknowledged.1.p50))
        }
    }

    @Test func `Legacy takes longer for a longer list and for fewer packets an event, until it gives up`() throws {
        let points = try #require(Lab(Conditions(taps: 1)).run().legacyCauses)
        #expect(points.map(\.packetsPerEvent) == [1, 3, 6, 1, 3, 6, 1, 3, 6])
        let medians = [200, 2_000, 5_000].map { database in
            points.filter { $0.database == database }.compactMap(\.updated?.p50)
        }
        for row in medians { #expect(row == row.sorted(by: >) && row.count == 3) }
        for column in 0..<3 { #expect(medians.map { $0[column] } == medians.map { $0[column] }.sorted()) }
        // With one packet every 15 ms, 5,000 items do not arrive within the 5 s after which the handler gives up.
        #expect((5_000_000...5_200_000).contains(medians[2][0]))
        #expect(medians[0][2] < 500_000)
    }

    @Test func `A slow flash chip makes sorting large, and a suspended app the message`() throws {
        let cases = try EssayCondition.all.map { condition in
            EssayCase(condition.name, condition.assumed, try condition.report(under: Conditions(taps: 1)))
        }
        try #require(cases.count == 4)
        let updated = try cases.map { try #require($0.updated) }
        let sorting = try cases.map { try #require($0.sorting) }
        let message = try cases.map { try #require($0.message) }
        let complication = try cases.map { try #require($0.complication) }
        // Sorting counts as large if it takes more than a sixth of the tap.
        #expect(sorting[0] * 6 < updated[0] && sorting[1] * 6 > updated[1])
        #expect(zip(message, updated).allSatisfy { $0 * 10 > $1 })
        // An answer takes at most two connection events, even if they are 45 ms apart.
        #expect(message[0] < 100_000 && message[1] < 100_000)
        #expect((2_500_000...2_800_000).contains(message[2]) && (2_500_000...2_800_000).contains(message[3]))
        #expect(complication[..<3].allSatisfy { $0 < 1_000 } && complication[3] > 1_000_000)
        #expect(updated[3] >= sorting[3] + message[3] + complication[3])
        #expect(cases.map { $0.assumed == nil } == [true, true, false, false])
    }

    @Test func `The JSON has what its readers count on`() throws {
        let report = try Lab(Conditions(taps: 3), steps: 1...2).run()
        let object = try #require(try JSONSerialization.jsonObject(with: Data(report.json)) as? [String: Any])
        #expect(object["profile"] as? String == "memory-lcd")
        let step = try #require((object["steps"] as? [[String: Any]])?.first)
        #expect(step["step"] as? String == "1")
        let updated = try #require((step["marks"] as? [String: Any])?["updated"] as? [String: Any])
        #expect(Set(updated.keys).isSuperset(of: ["p50", "p90", "p99", "max"]))
        for handler in ["legacy", "shipping"] {
            let marks = try #require((object[handler] as? [String: Any])?["marks"] as? [String: Any])
            for mark in ["handled", "updated", "settled", "acknowledged"] { #expect(marks[mark] != nil) }
        }
        let floor = try #require(object["panelFloor"] as? [String: Any])
        #expect(Set(floor.keys) == ["updated", "settled"])
    }

    @Test(arguments: [
        ("0 taps", "0 taps cannot be measured: at least 1 is needed, and 100,000 at most"),
        ("129 items", "129 items are not a list: the watch holds 1 to 128"),
        ("small database", "a phone's database of 5 items: it holds 128 to 100,000"),
        ("empty database", "a phone's database of 0 items: it holds 1 to 100,000"),
        ("steps", "no steps '1-20': they are numbered 1 to 19, as in 1-19 or 8"),
    ])
    func `What is wrong is said in one line`(what: String, line: String) throws {
        let error = #expect(throws: TapLatencyError.self) {
            switch what {
            case "0 taps": _ = try Lab(Conditions(taps: 0))
            case "129 items": _ = try Lab(Conditions(items: 129))
            case "small database": _ = try Lab(Conditions(items: 128, database: 5))
            case "empty database": _ = try Lab(Conditions(items: 8, database: 0))
            default: _ = try Lab.steps(in: "1-20")
            }
        }
        #expect(error?.description == line)
    }

    @Test func `Steps are a number or two`() throws {
        #expect(try Lab.steps(in: "1-19") == 1...19)
        #expect(try Lab.steps(in: "8") == 8...8)
        for text in ["", "0", "20", "9-3", "a", "1-2-3", "-4"] {
            #expect(throws: TapLatencyError.steps(text)) { try Lab.steps(in: text) }
        }
    }
}

@Suite struct StepFindingsTests {
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
        return step.conclude(evidence).verdict
    }

    @Test func `A stage is slow that breaks the budget, and not one that finds it broken`() {
        let fast = report(updated: 200, "haptic", TimeKinds([.haptic: 5]))
        let slow = report(updated: 58_000, "haptic", TimeKinds([.haptic: 5]))
        let little = report(updated: 58_010, "sorting database", TimeKinds([.processor: 10]))
        let much = report(updated: 116_000, "sorting database", TimeKinds([.flash: 58_000]))
        #expect(verdict(of: 11, much, before: fast) == .slow)
        #expect(verdict(of: 11, much, before: slow) == .slow)
        #expect(verdict(of: 11, little, before: slow) == .refuted)
        #expect(verdict(of: 11, fast, before: fast) == .refuted)
    }

    @Test func `A trivial stage is kept where the step before was too slow already`() {
        let fast = report(updated: 200, "haptic", TimeKinds([.haptic: 5]))
        let slow = report(updated: 58_000, "haptic", TimeKinds([.haptic: 5]))
        #expect(verdict(of: 4, slow, before: slow) == .kept)
        #expect(verdict(of: 4, slow, before: fast) == .slow)
    }

    @Test func `A stage is fixed that takes less, whatever the others take`() {
        let was = report(updated: 5_058_000, "complication", TimeKinds([.radio: 5_000_000]))
        let now = report(updated: 58_000, "complication", TimeKinds([.processor: 9]))
        #expect(verdict(of: 10, now, before: was, earlier: was) == .fixed)
        #expect(verdict(of: 10, was, before: was, earlier: was) == .refuted)
    }

    @Test func `A hypothesis about a stage's time holds where most of it is of that kind`() {
        let waits = report(updated: 40_000, "message to the phone", TimeKinds([.radio: 20_000, .phone: 10_000]))
        let writes = report(
            updated: 40_000, "message to the phone", TimeKinds([.flash: 20_000, .radio: 9_000, .phone: 1_000]))
        #expect(verdict(of: 16, waits, before: waits) == .attributed)
        #expect(verdict(of: 16, writes, before: writes) == .refuted)
    }
}

@Suite struct CountedStagesTests {
    /// Stages that the shipping handler lacks. `tapline lab table` counts only the stages of that handler.
    private static let uncounted: Set = ["sorting database"]

    @Test func `Every stage of a built-in handler and of the lab's steps was counted, or is named here`() throws {
        let shipping = try #require(StageSequence(of: ShippingHandler())).stages
        let legacy = try #require(StageSequence(of: LegacyHandler())).stages
        let stages = Set((shipping + legacy + LabStep.all.flatMap(\.stages)).map(\.name))
        for items in CountTable.columns {
            let counted = Set(CountTable.measured(items: items).stages.keys)
            #expect(stages == counted.union(Self.uncounted), "at \(items) items")
        }
    }

    @Test func `The remaining count takes as long on a long list as on a short one`() throws {
        let counts = try CountTable.columns.map { items in
            try #require(CountTable.measured(items: items).stages["remaining count"]).instructions
        }
        let most = try #require(counts.max())
        #expect(most <= 5_600)
        #expect(100 * most <= 102 * (try #require(counts.min())))
    }

    @Test func `The lab takes the legacy handler apart as it is`() throws {
        let legacy = try #require(StageSequence(of: LegacyHandler())).stages
        #expect(LabStep.all[1].stages.map(\.name) == legacy.map(\.name))
    }
}
