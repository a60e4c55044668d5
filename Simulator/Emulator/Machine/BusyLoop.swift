/// Describes a program that has kept the core awake for a whole second: the functions that used most of the processor's time.
package struct BusyLoop: Equatable, Sendable {
    package struct Share: Equatable, Sendable {
        package let name: String
        package let share: Double
    }

    /// At most five functions, with the largest share first. A share is the fraction of the second's cycles that the function
    /// spent, without the functions that it called.
    package let functions: [Share]
    private static let shown = 5

    /// Executes a copy of a machine for a second. Returns nil if its core sleeps or the copy stops in this time.
    package init?(_ machine: Machine) {
        var copy = machine
        var recorder = TapRecorder(machine.image.functions, of: machine.core)
        _ = copy.run(until: machine.now + Machine.cyclesPerSecond, &recorder)
        guard copy.asleep == machine.asleep, copy.now >= machine.now + Machine.cyclesPerSecond else { return nil }
        let tree = recorder.tree(copy.core)
        let calls = NamedCalls(tree, SpentByPlace(of: tree), machine.image.functions).profile
        let all = Double(max(calls.cycles, 1))
        functions = calls.functions.filter { $0.ownCycles > 0 }.prefix(BusyLoop.shown).map {
            Share(name: $0.name, share: Double($0.ownCycles) / all)
        }
    }
}

extension BusyLoop: CustomStringConvertible {
    package var description: String {
        let names = functions.map { "\($0.name) \(Int($0.share * 100 + 0.5)) %" }
        return "the core has not slept for a second: it runs \(names.joined(separator: ", "))"
    }
}
