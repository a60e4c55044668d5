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
