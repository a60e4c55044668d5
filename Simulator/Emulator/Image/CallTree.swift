/// The cycles and instructions of each function, by call path.
package struct CallTree: Equatable, Sendable {
    package struct Spent: Equatable, Sendable {
        package var cycles: UInt64 = 0
        package var instructions: UInt64 = 0

        package init(cycles: UInt64 = 0, instructions: UInt64 = 0) {
            self.cycles = cycles
            self.instructions = instructions
        }

        package static func - (left: Spent, right: Spent) -> Spent {
            Spent(cycles: left.cycles - right.cycles, instructions: left.instructions - right.instructions)
        }

        package static func += (left: inout Spent, right: Spent) {
            left.cycles += right.cycles
            left.instructions += right.instructions
        }
    }

    /// A function at the end of one call path from the root.
    package struct Node: Equatable, Sendable {
        package let function: FunctionTable.Number
        /// Index of the caller in `nodes`. The root is its own parent.
        package let parent: Int
        /// Spent in this function, without the functions that it called.
        package fileprivate(set) var own = Spent()
        fileprivate var callees: [Int] = []
    }

    package private(set) var nodes: [Node]

    init(root: FunctionTable.Number) {
        nodes = [Node(function: root, parent: 0)]
    }

    mutating func callee(_ function: FunctionTable.Number, of caller: Int) -> Int {
        for place in nodes[caller].callees where nodes[place].function == function { return place }
        nodes.append(Node(function: function, parent: caller))
        nodes[caller].callees.append(nodes.count - 1)
        return nodes.count - 1
    }

    mutating func spend(_ spent: Spent, at place: Int) {
        nodes[place].own += spent
    }
}

extension CortexM4 {
    /// Cycles and instructions since the first instruction.
    var spent: CallTree.Spent { CallTree.Spent(cycles: cycles, instructions: instructions) }
}

/// Follows the calls and jumps of a program, and charges the cycles to the running function.
///
/// A branch with link is a call. A jump to the return address of a frame on the stack is a return, possibly from several
/// functions at once. Any other jump out of a function is a tail call: the new function replaces the old one on the stack.
package struct CallStack: FlowObserver, Sendable {
    private struct Frame: Sendable {
        /// Index of the call path in `tree.nodes`.
        var place: Int
        var returnAddress: UInt32
        /// Addresses of the function's code.
        var code: Range<UInt32>
    }

    private let functions: FunctionTable
    package private(set) var tree: CallTree
    private var frames: [Frame]
    /// Addresses of the running function's code.
    private var code: Range<UInt32>
    /// The processor's totals when the running function started or resumed.
    private var before = CallTree.Spent()
    /// The deepest stack that is kept; a stack of 1 MB has fewer frames. Beyond this depth, the outermost callers are dropped.
    private static let mostFrames = 1 << 16

    package init(
        _ functions: FunctionTable, at address: UInt32, returningTo returnAddress: UInt32, _ spent: CallTree.Spent
    ) {
        self.functions = functions
        let place = functions.place(of: address)
        tree = CallTree(root: place.number)
        frames = [Frame(place: 0, returnAddress: returnAddress, code: place.code)]
        code = place.code
        before = spent
    }

    package mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64) {
        if case .jump = flow.kind, code.contains(flow.target) { return }
        settle(CallTree.Spent(cycles: cycles, instructions: instructions))
        switch flow.kind {
        case .call(let returnAddress):
            let (place, code) = functions.place(of: flow.target)
            let caller = frames[frames.count - 1].place
            if frames.count == CallStack.mostFrames { frames.removeFirst(frames.count / 2) }
            frames.append(Frame(place: tree.callee(place, of: caller), returnAddress: returnAddress, code: code))
            self.code = code
        case .jump: jump(to: flow.target)
        }
    }

    private mutating func jump(to target: UInt32) {
        if let frame = frames.lastIndex(where: { $0.returnAddress == target }), frame > 0 {
            while frames.count > frame { frames.removeLast() }
            // Usually the return goes to the function of that frame.
            let caller = frames[frame - 1].code
            code = caller.contains(target) ? caller : functions.place(of: target).code
            return
        }
        let (place, code) = functions.place(of: target)
        self.code = code
        let top = frames.count - 1
        guard tree.nodes[frames[top].place].function != place else { return }
        frames[top].place = tree.callee(place, of: top > 0 ? frames[top - 1].place : 0)
        frames[top].code = code
    }

    /// Charges the running function with what the processor spent since it started or resumed.
    package mutating func settle(_ spent: CallTree.Spent) {
        tree.spend(spent - before, at: frames[frames.count - 1].place)
        before = spent
    }
}
