import DeviceModel
import Testing
import Watch
import WatchLink

@testable import Emulator

/// The cycles that a stage is charged with. In the test program, `loop` calls `stage`, which calls `draw`.
struct StageLedgerTests {
    private static let functions = FunctionTable(
        [("loop", 0), ("stage", 16), ("draw", 32), ("draw", 48)].map {
            FunctionTable.Function(name: $0.0, start: UInt32($0.1), size: 16)
        })

    /// A program without code. The test says which function it enters, and how many cycles it spends there.
    private struct Program {
        var stack = CallStack(StageLedgerTests.functions, at: 0, returningTo: 1_000, CallTree.Spent())
        var ledger = StageLedger()
        private var cycles: UInt64 = 0

        mutating func spend(_ cycles: UInt64) {
            self.cycles += cycles
            stack.settle(CallTree.Spent(cycles: self.cycles, instructions: self.cycles))
        }

        mutating func call(_ target: UInt32, from place: UInt32) {
            stack.moved(Flow(kind: .call(returnAddress: place), target: target), cycles: cycles, instructions: cycles)
        }

        mutating func goBack(to place: UInt32) {
            stack.moved(Flow(kind: .jump, target: place), cycles: cycles, instructions: cycles)
        }

        mutating func enter(_ event: TracedEvent) { ledger.enter(event, stack.tree) }

        var spending: MachineSpending {
            MachineSpending(tree: stack.tree, ledger: ledger, functions: StageLedgerTests.functions)
        }
    }

    private static let tap = TapNumber(1)

    @Test func `a stage has what is spent between its beginning and its end, and the rest is around it`() throws {
        var program = Program()
        program.spend(5)
        let before = program.spending
        program.spend(7)
        program.call(16, from: 4)
        program.spend(1)
        program.enter(.stageBegan("list", tap: Self.tap))
        program.spend(10)
        program.call(32, from: 20)
        program.spend(20)
        program.goBack(to: 20)
        program.call(48, from: 24)
        program.spend(30)
        program.goBack(to: 24)
        program.enter(.stageEnded("list", tap: Self.tap))
        program.spend(2)
        let stage = try #require(program.spending.stages.first)
        #expect(stage.placement == .immediate)
        // Two functions with the same name count as one. `loop` is left out, because it spends nothing in the stage.
        #expect(stage.calls.names == ["draw", "stage"])
        #expect(stage.calls.calls.map(\.cycles) == [10, 50])
        #expect(stage.calls.calls.map(\.caller) == [nil, 0])
        #expect(stage.calls.cycles == 60)
        #expect(stage.calls.instructions == 60)
        let around = program.spending.aroundStages(since: before)
        #expect(around.cycles == 10)
        #expect(around.functions.map(\.name) == ["loop", "stage"])
    }

    @Test func `a stage within another one is in both, and around neither`() {
        var program = Program()
        let before = program.spending
        program.enter(.stageBegan("outer", tap: Self.tap))
        program.spend(1)
        program.enter(.stageBegan("inner", tap: Self.tap))
        program.spend(10)
        program.enter(.stageEnded("inner", tap: Self.tap))
        program.spend(100)
        program.enter(.stageEnded("outer", tap: Self.tap))
        program.spend(1_000)
        #expect(program.spending.stages.map(\.name) == ["inner", "outer"])
        #expect(program.spending.stages.map(\.calls.cycles) == [10, 111])
        #expect(program.spending.aroundStages(since: before).cycles == 1_000)
    }

    @Test func `runs of a stage add up, apart from those that were deferred`() {
        var program = Program()
        for tap in [TapNumber(1), TapNumber(2)] {
            for cycles: UInt64 in [3, 5] {
                program.enter(.stageBegan("list", tap: tap))
                program.spend(cycles)
                program.enter(.stageEnded("list", tap: tap))
                program.enter(.mark(.handled, tap: tap, at: 0))
            }
        }
        #expect(program.spending.stages.map(\.placement) == [.immediate, .deferred])
        #expect(program.spending.stages.map(\.calls.cycles) == [6, 10])
    }
}

@Suite(.serialized, .enabled(if: LabImageUnderTest.path != nil, "LAB_FIRMWARE names no image"))
struct MachineSpendingTests {
    private static let taps = 3

    private struct Run {
        var reported: [String: Int] = [:]
        var stages: [MachineSpending.Stage]
        var around: CallProfile
        var cycles: Int
    }

    private func run(_ handler: String) throws -> Run {
        let image = try LabImageUnderTest.load()
        let bench = try MachineBench(
            image, .own(handler: try image.place(of: handler)), phone: InMemoryPhone(items: 12))
        bench.connect()
        let before = bench.watch.inspect { $0.spending }
        let cyclesBefore = bench.work.cycles
        for _ in 0..<Self.taps {
            bench.tap(0)
            bench.run(for: .seconds(1))
        }
        let spending = bench.watch.inspect { $0.spending }
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
        // The run loop that calls the stage is left out.
        #expect(!count.names.contains { $0.contains("LabWatch") })
    }
}

struct CallProfileTests {
    private static let profile = CallProfile(
        names: ["walk", "see"],
        calls: [
            CallProfile.Call(function: 0, caller: nil, cycles: 10, instructions: 8),
            CallProfile.Call(function: 1, caller: 0, cycles: 5, instructions: 4),
            CallProfile.Call(function: 0, caller: 1, cycles: 2, instructions: 1),
        ])

    @Test func `a function that calls itself is in its total once`() {
        #expect(
            Self.profile.functions == [
                CallProfile.Function(name: "walk", ownCycles: 12, ownInstructions: 9, totalCycles: 17),
                CallProfile.Function(name: "see", ownCycles: 5, ownInstructions: 4, totalCycles: 7),
            ])
        #expect(Self.profile.totals == [17, 7, 2])
        #expect(Self.profile.way(to: 2) == [0, 1, 2])
    }
}
