import CortexM

/// Follows which function runs, from the calls and jumps of a program.
///
/// A call is a branch with link. A jump to an address that a caller waits at is a return, also out of several functions
/// at once; any other jump out of a function is a tail call, whose function takes the place of the one that it ends.
package struct CallStack: FlowObserver, Sendable {
    private struct Frame: Sendable {
        /// The function's place in the tree.
        var place: Int
        /// Where it returns to.
        var returnAddress: UInt32
    }

    private let functions: FunctionTable
    package private(set) var tree: CallTree
    private var frames: [Frame]
    /// The addresses of the function that runs.
    private var code: Range<UInt32>
    /// What was spent when the present function came to run.
    private var before = CallTree.Spent()
    /// More frames than a program's stack of 1 MB has room for: one that calls on and on forgets its callers.
    private static let mostFrames = 1 << 16

    /// - Parameters:
    ///   - address: of the first instruction.
    ///   - returnAddress: where the first function returns to.
    ///   - spent: before it.
    package init(
        _ functions: FunctionTable, at address: UInt32, returningTo returnAddress: UInt32, _ spent: CallTree.Spent
    ) {
        self.functions = functions
        let place = functions.place(of: address)
        tree = CallTree(root: place.number)
        frames = [Frame(place: 0, returnAddress: returnAddress)]
        code = place.code
        before = spent
    }

    package mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64) {
        if case .jump = flow.kind, code.contains(flow.target) { return }
        settle(CallTree.Spent(cycles: cycles, instructions: instructions))
        let place = functions.place(of: flow.target)
        code = place.code
        let top = frames[frames.count - 1]
        switch flow.kind {
        case .call(let returnAddress):
            if frames.count == CallStack.mostFrames { frames.removeFirst(frames.count / 2) }
            frames.append(Frame(place: tree.callee(place.number, of: top.place), returnAddress: returnAddress))
        case .jump:
            if let frame = frames.lastIndex(where: { $0.returnAddress == flow.target }), frame > 0 {
                frames.removeLast(frames.count - frame)
            } else if tree.nodes[top.place].function != place.number {
                let caller = frames.count > 1 ? frames[frames.count - 2].place : 0
                frames[frames.count - 1].place = tree.callee(place.number, of: caller)
            }
        }
    }

    /// Charges the function that runs with what was spent since it came to run.
    package mutating func settle(_ spent: CallTree.Spent) {
        tree.spend(spent - before, at: frames[frames.count - 1].place)
        before = spent
    }
}
