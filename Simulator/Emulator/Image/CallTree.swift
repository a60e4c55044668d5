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

    package enum Subject: Hashable, Sendable {
        case function(FunctionTable.Number)
        /// A handler that the processor called for the exception with this number. Exception 16 is interrupt 0.
        case exception(Int, handler: FunctionTable.Number)
        /// The whole program, which is the root of all its tasks and handlers.
        case program
    }

    package struct Node: Equatable, Sendable {
        package let subject: Subject
        /// The index of the caller in the tree's `nodes`. For the root, it is the root's own index, 0.
        package let parent: Int
        package fileprivate(set) var own = Spent()
        fileprivate var callees: [Int] = []
    }

    package private(set) var nodes: [Node]

    init(root: Subject) {
        nodes = [Node(subject: root, parent: 0)]
    }

    mutating func callee(_ function: FunctionTable.Number, of caller: Int) -> Int {
        child(.function(function), of: caller)
    }

    mutating func child(_ subject: Subject, of parent: Int) -> Int {
        for place in nodes[parent].callees where nodes[place].subject == subject { return place }
        nodes.append(Node(subject: subject, parent: parent))
        nodes[parent].callees.append(nodes.count - 1)
        return nodes.count - 1
    }

    mutating func spend(_ spent: Spent, at place: Int) {
        nodes[place].own += spent
    }
}

extension CortexM4 {
    var spent: CallTree.Spent { CallTree.Spent(cycles: cycles, instructions: instructions) }
}

/// Follows a program's calls, jumps and exceptions, and charges its cycles and instructions to the function that runs.
///
/// A call is a branch with link. A jump to the return address of a frame is a return, and may return from several functions at
/// once. Any other jump out of a function is a tail call: the function at the jump's target replaces the function that jumped.
///
/// Each exception handler is a child of the tree's root. When a handler returns, the exception frame at the stack pointer
/// determines which interrupted stack continues. If no interrupted stack has this frame, a new stack begins. In this way, each
/// task of an operating system has its own stack. No function is charged for the time that the core sleeps.
package struct CallStack: FlowObserver, Sendable {
    private let functions: FunctionTable
    package private(set) var tree: CallTree
    private var running: CallFrames
    /// Interrupted stacks, by the addresses of their exception frames.
    private var interrupted: [UInt32: CallFrames] = [:]
    /// The core's cycles and instructions when the tree was last brought up to date, plus the cycles that the core has slept
    /// since then.
    private var before = CallTree.Spent()

    package init(
        _ functions: FunctionTable, at address: UInt32, returningTo returnAddress: UInt32, _ spent: CallTree.Spent
    ) {
        self.functions = functions
        let place = functions.place(of: address)
        tree = CallTree(root: .function(place.number))
        running = CallFrames(at: 0, below: 0, returnAddress: returnAddress, place.code)
        before = spent
    }

    /// Follows a whole program, beginning at the core's next instruction. The callers of the function with that instruction
    /// are unknown.
    package init(_ functions: FunctionTable, of core: CortexM4) {
        self.functions = functions
        tree = CallTree(root: .program)
        running = CallFrames(at: 0, below: 0, returnAddress: .max, 0..<0)
        before = core.spent
        running = beginTask(at: core.next)
    }

    private mutating func beginTask(at address: UInt32) -> CallFrames {
        let (number, code) = functions.place(of: address)
        return CallFrames(at: tree.callee(number, of: 0), below: 0, returnAddress: .max, code)
    }

    package var function: CallTree.Subject { tree.nodes[running.top].subject }

    package mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64) {
        // A jump to 0xF000_0000 or above begins the return from an exception. The core calls `returned` next.
        if case .jump = flow.kind, running.code.contains(flow.target) || flow.target >= 0xF000_0000 { return }
        settle(CallTree.Spent(cycles: cycles, instructions: instructions))
        running.follow(flow, functions, &tree)
    }

    package mutating func entered(
        _ exception: Int, at handler: UInt32, isChained: Bool, frame: UInt32, cycles: UInt64, instructions: UInt64
    ) {
        settle(CallTree.Spent(cycles: cycles, instructions: instructions))
        if !isChained { interrupted[frame] = running }
        let (number, code) = functions.place(of: handler)
        let root = tree.child(.exception(exception, handler: number), of: 0)
        running = CallFrames(at: root, below: root, returnAddress: .max, code)
    }

    package mutating func returned(to address: UInt32, frame: UInt32, cycles: UInt64, instructions: UInt64) {
        settle(CallTree.Spent(cycles: cycles, instructions: instructions))
        running = interrupted.removeValue(forKey: frame) ?? beginTask(at: address)
    }

    package mutating func slept(_ asleep: UInt64, cycles: UInt64) {
        before.cycles += asleep
    }

    package mutating func settle(_ spent: CallTree.Spent) {
        tree.spend(spent - before, at: running.top)
        before = spent
    }
}

/// The frames of one stack: functions that were called and have not returned.
private struct CallFrames: Sendable {
    private struct Frame: Sendable {
        var place: Int
        var returnAddress: UInt32
        var code: Range<UInt32>
    }

    private var frames: [Frame]
    /// The index of the tree's node that counts as the caller of the outermost frame, whose real caller is unknown.
    private let base: Int
    private(set) var code: Range<UInt32>
    /// The maximum number of frames: a stack of 1 MB with 16 bytes for each frame. If a call would exceed it, the outer half of
    /// the frames is dropped first.
    private static let mostFrames = 1 << 16

    init(at place: Int, below base: Int, returnAddress: UInt32, _ code: Range<UInt32>) {
        frames = [Frame(place: place, returnAddress: returnAddress, code: code)]
        (self.base, self.code) = (base, code)
    }

    var top: Int { frames[frames.count - 1].place }

    mutating func follow(_ flow: Flow, _ functions: FunctionTable, _ tree: inout CallTree) {
        switch flow.kind {
        case .call(let returnAddress):
            let (place, code) = functions.place(of: flow.target)
            let caller = top
            if frames.count == CallFrames.mostFrames { frames.removeFirst(frames.count / 2) }
            frames.append(Frame(place: tree.callee(place, of: caller), returnAddress: returnAddress, code: code))
            self.code = code
        case .jump: jump(to: flow.target, functions, &tree)
        }
    }

    private mutating func jump(to target: UInt32, _ functions: FunctionTable, _ tree: inout CallTree) {
        if let frame = frames.lastIndex(where: { $0.returnAddress == target }), frame > 0 {
            while frames.count > frame { frames.removeLast() }
            // Usually the target is in the calling function.
            let caller = frames[frame - 1].code
            code = caller.contains(target) ? caller : functions.place(of: target).code
            return
        }
        let (place, code) = functions.place(of: target)
        self.code = code
        let top = frames.count - 1
        guard tree.nodes[frames[top].place].subject != .function(place) else { return }
        frames[top].place = tree.callee(place, of: top > 0 ? frames[top - 1].place : base)
        frames[top].code = code
    }
}

extension FunctionTable {
    func title(_ subject: CallTree.Subject) -> String {
        switch subject {
        case .function(let number): title(number)
        case .exception(let exception, let handler):
            "\(exception < 16 ? "exception \(exception)" : "interrupt \(exception - 16)"): \(title(handler))"
        case .program: "the program"
        }
    }
}
