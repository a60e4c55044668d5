import MachineCode

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
