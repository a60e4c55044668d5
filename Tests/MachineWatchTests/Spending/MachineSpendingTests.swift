import DeviceModel
import Testing
import Watch

@testable import MachineWatch

/// The functions of a stage have spent what its report says of the stage.
@Suite(.serialized, .enabled(if: LabImageUnderTest.path != nil, "LAB_FIRMWARE names no image"))
struct MachineSpendingTests {
    private static let taps = 3

    private struct Run {
        /// Cycles of each stage as the histories of the taps have them.
        var reported: [String: Int] = [:]
        var stages: [MachineSpending.Stage]
        var around: CallProfile
        /// All cycles from before the first tap until now.
        var cycles: Int
    }

    private func run(_ handler: String) throws -> Run {
        let image = try LabImageUnderTest.load()
        let bench = try MachineBench(
            image, .own(handler: try image.place(of: handler)), phone: SimulatedPhone(items: 12))
        bench.connect()
        let before = bench.watch.lookInside { $0.spending }
        let cyclesBefore = bench.work.cycles
        for _ in 0..<Self.taps {
            bench.tap(0)
            bench.run(for: .seconds(1))
        }
        let spending = bench.watch.lookInside { $0.spending }
        var run = Run(
            stages: spending.stages, around: spending.aroundStages(since: before),
            cycles: bench.work.cycles - cyclesBefore)
        let histories = bench.watch.output.taps.histories
        try #require(histories.count == Self.taps)
        for history in histories {
            let handled = try #require(history.time(of: .handled))
            for span in history.stages {
                let placement: StagePlacement = span.began < handled ? .immediate : .deferred
                run.reported["\(span.name) \(placement)", default: 0] += try #require(span.cycles)
            }
        }
        return run
    }

    @Test(arguments: ["shipping", "legacy"])
    func `every stage's functions have its cycles, and with those around the stages they are all`(
        handler: String
    ) throws {
        let run = try run(handler)
        let found = run.stages.map { ("\($0.name) \($0.placement)", $0.calls.cycles) }
        #expect(Dictionary(uniqueKeysWithValues: found) == run.reported)
        #expect(found.reduce(run.around.cycles) { $0 + $1.1 } == run.cycles)
    }

    @Test func `a stage begins at the function that runs it, and the same taps give the same functions`() throws {
        let (first, second) = (try run("shipping"), try run("shipping"))
        #expect(first.stages == second.stages)
        #expect(first.around == second.around)
        let count = try #require(first.stages.first { $0.name == "remaining count" }?.calls)
        #expect(count.calls.count { $0.caller == nil } == 1)
        #expect(count.functions.contains { $0.name.hasPrefix("Watch.TitleDigits.draw") && $0.ownCycles > 0 })
        // Nothing of the run loop above the stage is left.
        #expect(!count.names.contains { $0.contains("LabProgram") })
    }
}
