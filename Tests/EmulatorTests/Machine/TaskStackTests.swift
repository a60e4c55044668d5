import Testing

@testable import Emulator

struct TaskStackTests {
    private static let functions = FunctionTable(
        ["first", "called", "second", "handler", "other"].enumerated().map { place, name in
            FunctionTable.Function(name: name, start: UInt32(0x200 + 0x100 * place), size: 0x100)
        })

    /// Returns a stack that begins in the function `first`. That function is at 0x200, where `CoreBench` begins.
    private func stack() -> CallStack {
        CallStack(TaskStackTests.functions, of: CoreBench([0xBF00]).core)
    }

    private func profile(_ stack: CallStack) -> [String: UInt64] {
        var cycles: [String: UInt64] = [:]
        for node in stack.tree.nodes {
            var path = [TaskStackTests.functions.title(node.subject)]
            var parent = node.parent
            while parent != 0 {
                path.append(TaskStackTests.functions.title(stack.tree.nodes[parent].subject))
                parent = stack.tree.nodes[parent].parent
            }
            if node.own.cycles > 0 { cycles[path.reversed().joined(separator: ";"), default: 0] += node.own.cycles }
        }
        return cycles
    }

    @Test
    func `A handler has a root of its own, and its return continues what was interrupted`() {
        var stack = stack()
        stack.moved(Flow(kind: .call(returnAddress: 0x210), target: 0x300), cycles: 10, instructions: 1)
        stack.entered(20, at: 0x500, isChained: false, frame: 0x2000_0F00, cycles: 30, instructions: 2)
        stack.returned(to: 0x310, frame: 0x2000_0F00, cycles: 70, instructions: 3)
        stack.moved(Flow(kind: .jump, target: 0x210), cycles: 75, instructions: 4)
        stack.settle(CallTree.Spent(cycles: 80, instructions: 5))
        #expect(
            profile(stack) == ["first": 15, "first;called": 25, "interrupt 4: handler": 40])
    }

    @Test
    func `A return with another stack switches tasks, each with its own callers`() {
        var stack = stack()
        stack.moved(Flow(kind: .call(returnAddress: 0x210), target: 0x300), cycles: 10, instructions: 1)
        // PendSV switches to the second task, and later back to the first.
        stack.entered(14, at: 0x500, isChained: false, frame: 0x2000_0F00, cycles: 20, instructions: 2)
        stack.returned(to: 0x400, frame: 0x2000_0800, cycles: 21, instructions: 3)
        stack.moved(Flow(kind: .call(returnAddress: 0x410), target: 0x300), cycles: 31, instructions: 4)
        stack.entered(14, at: 0x500, isChained: false, frame: 0x2000_07C0, cycles: 36, instructions: 5)
        stack.returned(to: 0x320, frame: 0x2000_0F00, cycles: 37, instructions: 6)
        stack.settle(CallTree.Spent(cycles: 40, instructions: 7))
        #expect(
            profile(stack) == [
                "first": 10, "first;called": 13, "second": 10, "second;called": 5,
                "exception 14: handler": 2,
            ])
    }

    @Test
    func `A chained handler replaces the one before, and sleep is charged to no function`() {
        var stack = stack()
        stack.slept(100, cycles: 100)
        stack.entered(20, at: 0x500, isChained: false, frame: 0x2000_0F00, cycles: 101, instructions: 1)
        stack.entered(21, at: 0x600, isChained: true, frame: 0x2000_0F00, cycles: 104, instructions: 2)
        stack.returned(to: 0x204, frame: 0x2000_0F00, cycles: 109, instructions: 3)
        stack.settle(CallTree.Spent(cycles: 110, instructions: 4))
        #expect(
            profile(stack) == [
                "first": 2, "interrupt 4: handler": 3, "interrupt 5: other": 5,
            ])
    }
}
