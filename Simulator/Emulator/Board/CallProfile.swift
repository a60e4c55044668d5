/// What a part of a program has spent, function by function and by who called it.
///
/// It begins at the function below which all of it was spent: what called that one has spent nothing in this part.
package struct CallProfile: Equatable, Sendable {
    /// A function, as called along one way from the root.
    package struct Call: Equatable, Sendable, Encodable {
        /// Its place in `functions`.
        package var function: Int
        /// Its caller's place in `calls`, which comes before it; nil for one that is not called by another one of this part.
        package var caller: Int?
        /// What it has spent itself, without the functions that it called.
        package var cycles: Int
        package var instructions: Int

        package init(function: Int, caller: Int?, cycles: Int, instructions: Int) {
            self.function = function
            self.caller = caller
            self.cycles = cycles
            self.instructions = instructions
        }
    }

    /// What a function has spent, whoever called it.
    package struct Function: Equatable, Sendable {
        package var name: String
        /// Without the functions that it called.
        package var ownCycles: Int
        /// With them; what a function spends that calls itself is in it once.
        package var totalCycles: Int
    }

    /// The names of the functions: the one that has spent most cycles itself is first.
    package private(set) var names: [String]
    /// Callers before what they call; of those with one caller, the one that has spent most cycles with what it calls is first.
    package private(set) var calls: [Call]

    /// A profile of these calls, each behind its caller.
    package init(names: [String] = [], calls: [Call] = []) {
        self.names = names
        self.calls = calls
    }

    /// Cycles in all.
    package var cycles: Int { calls.reduce(0) { $0 + $1.cycles } }

    /// Instructions in all.
    package var instructions: Int { calls.reduce(0) { $0 + $1.instructions } }

    /// The way from the root to a call: places in `calls`.
    package func way(to call: Int) -> [Int] {
        var way = [call]
        while let caller = calls[way[way.count - 1]].caller { way.append(caller) }
        return way.reversed()
    }

    /// What each call has spent with all that it called, by its place in `calls`.
    package var totals: [Int] {
        var totals = calls.map(\.cycles)
        for (place, call) in calls.enumerated().reversed() {
            if let caller = call.caller { totals[caller] += totals[place] }
        }
        return totals
    }

    /// The functions, in the order of their names.
    package var functions: [Function] {
        var functions = names.map { Function(name: $0, ownCycles: 0, totalCycles: 0) }
        let totals = totals
        for (place, call) in calls.enumerated() {
            functions[call.function].ownCycles += call.cycles
            let isWithinItself = way(to: place).dropLast().contains { calls[$0].function == call.function }
            if !isWithinItself { functions[call.function].totalCycles += totals[place] }
        }
        return functions
    }
}

extension CallProfile {
    /// What was spent at the places of a tree.
    init(_ tree: CallTree, _ spent: SpentByPlace, _ functions: FunctionTable) {
        self = NamedCalls(tree, spent, functions).profile
    }
}

/// The part of a call tree in which something was spent, with names: two functions of one name, such as two specialisations of a
/// generic one, are the same function.
private struct NamedCalls {
    private struct Node {
        let name: String
        var own = CallTree.Spent()
        /// With all that it called.
        var total: UInt64
        var callees: [Int] = []
    }

    private var nodes: [Node] = []
    /// Where the profile begins: callers that have spent nothing, and have called one function alone, are left out.
    private var start = 0

    init(_ tree: CallTree, _ spent: SpentByPlace, _ functions: FunctionTable) {
        // A caller stands before what it calls.
        var totals = tree.nodes.indices.map { spent[$0] }
        for (place, node) in tree.nodes.enumerated().reversed() where place > 0 { totals[node.parent] += totals[place] }
        var titles: [FunctionTable.Number: String] = [:]
        var named = [Int](repeating: 0, count: tree.nodes.count)
        for (place, node) in tree.nodes.enumerated() where totals[place].instructions > 0 {
            let title = titles[node.function] ?? functions.title(node.function)
            titles[node.function] = title
            named[place] = self.place(of: title, calledBy: place == 0 ? nil : named[node.parent])
            nodes[named[place]].own += spent[place]
            nodes[named[place]].total += totals[place].cycles
        }
        while start < nodes.count, nodes[start].own.instructions == 0, nodes[start].callees.count == 1 {
            start = nodes[start].callees[0]
        }
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
        for node in nodes[start...] { own[node.name, default: 0] += node.own.cycles }
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
