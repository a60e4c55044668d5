import Foundation

struct LockstepReport {
    let coverage: Coverage
    let images: [ImageListing]

    private var wanted: [String] { Set(images.flatMap(\.mnemonics.keys)).sorted() }

    /// The mnemonics in the images that no program has executed.
    var missing: [String] { wanted.filter { coverage.count(of: $0) == 0 } }

    func summary(seed: UInt64, seconds: Int) -> String {
        let (random, exceptions) = (coverage[.random], coverage[.exceptions])
        return "lockstep with QEMU: \(coverage.instructions) instructions without a difference, "
            + "\(random.instructions) of \(random.programs) random programs and \(exceptions.instructions) of "
            + "\(exceptions.programs) with exceptions, all of RAM \(random.calls) times, "
            + "\(coverage.mnemonics.count) mnemonics, \(wanted.count - missing.count) of the images' \(wanted.count), in \(seconds) s (seed \(seed))"
    }

    var table: String {
        let heads = ["mnemonic", "random"] + images.map { "in \($0.name)" }
        var lines = [heads]
        for mnemonic in Set(coverage.mnemonics).union(wanted).sorted() {
            let counts = [coverage[.random].mnemonics[mnemonic, default: 0]]
            lines.append([mnemonic] + (counts + images.map { $0.mnemonics[mnemonic, default: 0] }).map(String.init))
        }
        return lines.map { line in
            line[0].padding(toLength: 12, withPad: " ", startingAt: 0)
                + line.dropFirst().map { String(repeating: " ", count: max(1, 15 - $0.count)) + $0 }.joined()
        }.joined(separator: "\n")
    }
}

/// The programs and instructions that both processors executed without a difference.
struct Coverage {
    struct Part {
        var programs = 0
        var instructions = 0
        /// The number of host calls. At each call, all of RAM was compared.
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

    var instructions: Int { parts.values.reduce(0) { $0 + $1.instructions } }

    func count(of mnemonic: String) -> Int { parts.values.reduce(0) { $0 + $1.mnemonics[mnemonic, default: 0] } }

    var mnemonics: [String] { Set(parts.values.flatMap(\.mnemonics.keys)).sorted() }
}
