/// A program that never sleeps, and its functions.
package struct BusyLoop: Equatable, Sendable {
    package struct Share: Equatable, Sendable {
        package let name: String
        package let share: Double
    }

    /// The functions that ran in the last second, with most cycles first.
    package let functions: [Share]
    private static let shown = 5

    /// Watches a copy of a machine for a second. Nil if its core sleeps.
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
