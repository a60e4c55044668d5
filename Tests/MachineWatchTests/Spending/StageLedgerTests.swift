import Testing
import Watch
import WatchLink

@testable import CortexM
@testable import MachineCode
@testable import MachineWatch

/// What is entered for a stage, on a program of three functions: `loop` calls `stage`, which calls `draw`.
struct StageLedgerTests {
    private static let functions = FunctionTable(
        [("loop", 0), ("stage", 16), ("draw", 32), ("draw", 48)].map {
            FunctionTable.Function(name: $0.0, start: UInt32($0.1), size: 16)
        })

    /// A program that is led from function to function by hand.
    private struct Program {
        var stack = CallStack(StageLedgerTests.functions, at: 0, returningTo: 1_000, CallTree.Spent())
        var ledger = StageLedger()
        private var cycles: UInt64 = 0

        /// Spends cycles where it is, an instruction each.
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

        mutating func enter(_ trace: TraceCall) { ledger.enter(trace, stack.tree) }

        var spending: MachineSpending {
            MachineSpending(tree: stack.tree, ledger: ledger, functions: StageLedgerTests.functions)
        }
    }

    private static let tap = TapNumber(1)
    private static let time = Instant(microseconds: 0)

    @Test func `a stage has what is spent between its beginning and its end, and the rest is around it`() throws {
        var program = Program()
        program.spend(5)
        let before = program.spending
        program.spend(7)
        program.call(16, from: 4)
        program.spend(1)
        program.enter(.stageBegan("list", tap: Self.tap, at: Self.time))
        program.spend(10)
        program.call(32, from: 20)
        program.spend(20)
        program.goBack(to: 20)
        program.call(48, from: 24)
        program.spend(30)
        program.goBack(to: 24)
        program.enter(.stageEnded("list", tap: Self.tap, at: Self.time))
        program.spend(2)
        let stage = try #require(program.spending.stages.first)
        #expect(stage.placement == .immediate)
        // Two functions of one name are one; the loop above has spent nothing in the stage.
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
        program.enter(.stageBegan("outer", tap: Self.tap, at: Self.time))
        program.spend(1)
        program.enter(.stageBegan("inner", tap: Self.tap, at: Self.time))
        program.spend(10)
        program.enter(.stageEnded("inner", tap: Self.tap, at: Self.time))
        program.spend(100)
        program.enter(.stageEnded("outer", tap: Self.tap, at: Self.time))
        program.spend(1_000)
        #expect(program.spending.stages.map(\.name) == ["inner", "outer"])
        #expect(program.spending.stages.map(\.calls.cycles) == [10, 111])
        #expect(program.spending.aroundStages(since: before).cycles == 1_000)
    }

    @Test func `runs of a stage add up, apart from those that were deferred`() {
        var program = Program()
        for tap in [TapNumber(1), TapNumber(2)] {
            for cycles: UInt64 in [3, 5] {
                program.enter(.stageBegan("list", tap: tap, at: Self.time))
                program.spend(cycles)
                program.enter(.stageEnded("list", tap: tap, at: Self.time))
                program.enter(.mark(.handled, tap: tap, at: Self.time))
            }
        }
        #expect(program.spending.stages.map(\.placement) == [.immediate, .deferred])
        #expect(program.spending.stages.map(\.calls.cycles) == [6, 10])
    }
}
