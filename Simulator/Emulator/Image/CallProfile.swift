/// The cycles of a program or a part of it, by function and call path. The profile's root is the function that called all the
/// others, directly or indirectly.
package struct CallProfile: Equatable, Sendable {
    /// A function at the end of one path of calls from the root. A function has one `Call` for each path that leads to it.
    package struct Call: Equatable, Sendable, Encodable {
        /// Index of the function's name in `names`.
        package var function: Int
        /// Index of the caller in `calls`, lower than this call's own index. Nil for the root.
        package var caller: Int?
        /// Cycles in this function, without the functions that it called.
        package var cycles: Int
        package var instructions: Int
    }

    /// The cycles of a function, summed over all its call paths.
    package struct Function: Equatable, Sendable {
        package var name: String
        /// Cycles in this function, without the functions that it called.
        package var ownCycles: Int
        package var ownInstructions: Int
        /// Cycles in this function and the functions that it called. The cycles of a recursive call count only once.
        package var totalCycles: Int
    }

    /// The names of the functions, in descending order of the functions' own cycles.
    package internal(set) var names: [String] = []
    /// The root comes first, and each caller comes before its callees. The callees of one caller are in descending order of
    /// total cycles.
    package internal(set) var calls: [Call] = []

    package var cycles: Int { calls.reduce(0) { $0 + $1.cycles } }

    package var instructions: Int { calls.reduce(0) { $0 + $1.instructions } }

    /// Returns the path from the root to a call, as indices in `calls`. Both ends are included.
    package func way(to call: Int) -> [Int] {
        var way = [call]
        while let caller = calls[way[way.count - 1]].caller { way.append(caller) }
        return way.reversed()
    }

    package var totals: [Int] {
        var totals = calls.map(\.cycles)
        for (place, call) in calls.enumerated().reversed() {
            if let caller = call.caller { totals[caller] += totals[place] }
        }
        return totals
    }

    package var functions: [Function] {
        var functions = names.map { Function(name: $0, ownCycles: 0, ownInstructions: 0, totalCycles: 0) }
        let totals = totals
        for (place, call) in calls.enumerated() {
            functions[call.function].ownCycles += call.cycles
            functions[call.function].ownInstructions += call.instructions
            let isWithinItself = way(to: place).dropLast().contains { calls[$0].function == call.function }
            if !isWithinItself { functions[call.function].totalCycles += totals[place] }
        }
        return functions
    }

    /// Returns one line for each call path with cycles of its own, in the format that flame graph programs read: names joined
    /// by `;`, a space, the cycles, and a line feed.
    ///
    /// - Parameter prefix: names to put before the functions of each path.
    package func folded(below prefix: [String] = []) -> [String] {
        calls.indices.filter { calls[$0].cycles > 0 }.map { place in
            let path = prefix + way(to: place).map { names[calls[$0].function] }
            return "\(path.map { $0.replacing(";", with: ":") }.joined(separator: ";")) \(calls[place].cycles)\n"
        }.sorted()
    }
}

/// The part of a call tree in which instructions were executed. It merges callees of the same caller if they have the same
/// name, such as specialisations of a generic function.
struct NamedCalls {
    private struct Node {
        let name: String
        var own = CallTree.Spent()
        /// Cycles in this function and in all functions that it called, directly or indirectly.
        var total: UInt64
        var callees: [Int] = []
    }

    private var nodes: [Node] = []
    /// The index in `nodes` of the profile's root. The profile omits the callers of this node, because each caller has one
    /// callee and executed no instructions itself.
    private var start = 0

    init(_ tree: CallTree, _ spent: SpentByPlace, _ functions: FunctionTable) {
        // Callers come before their callees.
        var totals = tree.nodes.indices.map { spent[$0] }
        for (place, node) in tree.nodes.enumerated().reversed() where place > 0 { totals[node.parent] += totals[place] }
        var titles: [CallTree.Subject: String] = [:]
        var named = [Int](repeating: 0, count: tree.nodes.count)
        for (place, node) in tree.nodes.enumerated() where totals[place].instructions > 0 {
            let title = titles[node.subject] ?? functions.title(node.subject)
            titles[node.subject] = title
            named[place] = self.place(of: title, calledBy: place == 0 ? nil : named[node.parent])
            nodes[named[place]].own += spent[place]
            nodes[named[place]].total += totals[place].cycles
        }
        guard !nodes.isEmpty else { return }
        start = spending(from: start)
        // If the program had interrupts, the root has one callee for the program's first function and one for each handler.
        // Shortens each of these paths in the same way.
        nodes[start].callees = nodes[start].callees.map { spending(from: $0) }
    }

    /// Returns the index of the first node, at `place` or below it, that executed instructions itself or has several callees.
    private func spending(from place: Int) -> Int {
        var place = place
        while nodes[place].own.instructions == 0, nodes[place].callees.count == 1 { place = nodes[place].callees[0] }
        return place
    }

    private mutating func place(of name: String, calledBy caller: Int?) -> Int {
        let known = caller.map { nodes[$0].callees } ?? Array(nodes.indices.prefix(1))
        if let place = known.first(where: { nodes[$0].name == name }) { return place }
        nodes.append(Node(name: name, total: 0))
        if let caller { nodes[caller].callees.append(nodes.count - 1) }
        return nodes.count - 1
    }

    var profile: CallProfile {
        if nodes.isEmpty { return CallProfile() }
        var own: [String: UInt64] = [:]
        var reached = [start]
        while let place = reached.popLast() {
            own[nodes[place].name, default: 0] += nodes[place].own.cycles
            reached += nodes[place].callees
        }
        var calls: [CallProfile.Call] = []
        let names = own.keys.sorted { (own[$1, default: 0], $0) < (own[$0, default: 0], $1) }
        let numbers = Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, $0) })
        var waiting: [(place: Int, caller: Int?)] = [(start, nil)]
        while let (place, caller) = waiting.popLast() {
            let node = nodes[place]
            let callees = node.callees.sorted {
                (nodes[$1].total, nodes[$0].name) < (nodes[$0].total, nodes[$1].name)
            }
            waiting += callees.reversed().map { ($0, calls.count) }
            calls.append(
                CallProfile.Call(
                    function: numbers[node.name, default: 0], caller: caller, cycles: Int(node.own.cycles),
                    instructions: Int(node.own.instructions)))
        }
        return CallProfile(names: names, calls: calls)
    }
}

/// The cycles and instructions of each node in a call tree, without those of its callees. The subscript takes the index of
/// a node. It returns 0 for a node that was added to the tree after this copy.
struct SpentByPlace: Equatable, Sendable {
    private var amounts: [CallTree.Spent] = []

    init() {}

    init(of tree: CallTree) {
        amounts = tree.nodes.map(\.own)
    }

    subscript(place: Int) -> CallTree.Spent { place < amounts.count ? amounts[place] : CallTree.Spent() }

    func since(_ earlier: SpentByPlace) -> SpentByPlace {
        var rest = self
        for place in amounts.indices { rest.amounts[place] = amounts[place] - earlier[place] }
        return rest
    }

    mutating func add(_ other: SpentByPlace) {
        let missing = other.amounts.count - amounts.count
        if missing > 0 { amounts += [CallTree.Spent](repeating: CallTree.Spent(), count: missing) }
        for place in other.amounts.indices { amounts[place] += other.amounts[place] }
    }
}
