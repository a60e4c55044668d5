/// The lists that are generated from the declarations of all faults.
package enum FaultTable {
    /// The faults in the order of their keys, the one that ends all others last.
    package static let faults = Fault.allCases.sorted { key($0) < key($1) }

    private static func key(_ fault: Fault) -> (Int, String) {
        (fault.declaration.key == "0" ? 1 : 0, fault.declaration.key)
    }

    /// The forms of the words that can follow `fault` in a script.
    package static var synopses: [String] { forms.map(\.synopsis) }

    /// The rows of the documentation's table: keys, script words, effect.
    package static var markdown: String {
        faults.map { fault in
            let declaration = fault.declaration
            let words = declaration.forms.flatMap(\.columns).joined(separator: ", ")
            return "| `f` `\(declaration.key)` | \(words) | \(declaration.effect) |"
        }.joined(separator: "\n")
    }

    static var forms: [FaultDeclaration.Form] { faults.flatMap(\.declaration.forms) }

    /// The forms that may follow `fault`, for an error message.
    static var allowed: String {
        return "fault \(synopses.dropLast().joined(separator: ", ")) or \(synopses[synopses.count - 1])"
    }
}

extension Fault {
    /// The fault that a key changes while the faults are shown; nil for a key without one.
    package init?(key: String) {
        guard let fault = Fault.allCases.first(where: { $0.declaration.key == key }) else { return nil }
        self = fault
    }

    /// The key that changes it while the faults are shown.
    package var key: String { declaration.key }

    /// The change that sets it to its next size.
    package func next(after faults: WatchFaults) -> FaultChange { declaration.next(faults) }

    /// Its name and its present size, for the menu.
    package func meaning(_ faults: WatchFaults) -> String {
        let size = declaration.size(faults)
        guard !size.isEmpty else { return declaration.label }
        return declaration.label + String(repeating: " ", count: 15 - declaration.label.count) + size
    }
}
