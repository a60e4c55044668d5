/// What was spent in each function, by who called it.
package struct CallTree: Equatable, Sendable {
    /// What a processor has spent.
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

    /// A function, as called along one way from the root.
    package struct Node: Equatable, Sendable {
        package let function: FunctionTable.Number
        /// The caller's place; its own for the root.
        package let parent: Int
        /// What it has spent itself, without the functions that it called.
        package fileprivate(set) var own = Spent()
        fileprivate var callees: [Int] = []
    }

    package private(set) var nodes: [Node]

    init(root: FunctionTable.Number) {
        nodes = [Node(function: root, parent: 0)]
    }

    /// The place of a function that another one calls.
    mutating func callee(_ function: FunctionTable.Number, of caller: Int) -> Int {
        for place in nodes[caller].callees where nodes[place].function == function { return place }
        nodes.append(Node(function: function, parent: caller))
        nodes[caller].callees.append(nodes.count - 1)
        return nodes.count - 1
    }

    mutating func spend(_ spent: Spent, at place: Int) {
        nodes[place].own += spent
    }

    /// All that was spent.
    package var total: Spent { nodes.reduce(into: Spent()) { $0 += $1.own } }

    /// What each function has spent itself, most cycles first.
    package var byFunction: [(function: FunctionTable.Number, own: Spent)] {
        var sums: [FunctionTable.Number: Spent] = [:]
        for node in nodes where node.own.instructions > 0 { sums[node.function, default: Spent()] += node.own }
        return sums.map { ($0.key, $0.value) }.sorted {
            ($1.own.cycles, $0.function.value) < ($0.own.cycles, $1.function.value)
        }
    }

    /// The way from the root to a node.
    func path(to place: Int) -> [FunctionTable.Number] {
        var path = [nodes[place].function]
        var place = place
        while place != 0 {
            place = nodes[place].parent
            path.append(nodes[place].function)
        }
        return path.reversed()
    }

    /// A line for each way through the functions with its cycles, as flame graph programs read them: names with `;` between
    /// them, a blank, the number.
    package func folded(_ functions: FunctionTable) -> String {
        nodes.indices.filter { nodes[$0].own.cycles > 0 }.map { place in
            let names = path(to: place).map { functions.title($0).replacing(";", with: ":") }
            return "\(names.joined(separator: ";")) \(nodes[place].own.cycles)\n"
        }.sorted().joined()
    }
}

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
        /// The addresses of the function.
        var code: Range<UInt32>
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
            // A return is nearly always to the function that the frame is of.
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

    /// Charges the function that runs with what was spent since it came to run.
    package mutating func settle(_ spent: CallTree.Spent) {
        tree.spend(spent - before, at: frames[frames.count - 1].place)
        before = spent
    }
}
