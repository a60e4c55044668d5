/// What was executed without a difference.
struct Coverage {
    /// What was executed of a kind of programs.
    struct Part {
        var programs = 0
        var instructions = 0
        /// Calls, at each of which all of RAM was compared.
        var calls = 0
        var mnemonics: [String: Int] = [:]
    }

    private(set) var parts: [LockstepProgram.Kind: Part] = [:]

    mutating func add(_ executed: ExecutedAddresses, of program: LockstepProgram) {
        var part = self[program.kind]
        part.programs += 1
        part.instructions += executed.count
        part.calls += program.stops.isEmpty ? 0 : program.answers.count
        part.mnemonics.merge(executed.byMnemonic(in: program.processor), uniquingKeysWith: +)
        parts[program.kind] = part
    }

    subscript(kind: LockstepProgram.Kind) -> Part { parts[kind] ?? Part() }

    /// What was executed of the lab's image: a run has programs of one of the two kinds.
    var ofTaps: Part { parts[.taps] ?? self[.tap] }

    /// Of all kinds.
    var instructions: Int { parts.values.reduce(0) { $0 + $1.instructions } }

    func count(of mnemonic: String) -> Int { parts.values.reduce(0) { $0 + $1.mnemonics[mnemonic, default: 0] } }

    /// The names of all that was executed, in their order.
    var mnemonics: [String] { Set(parts.values.flatMap(\.mnemonics.keys)).sorted() }
}
