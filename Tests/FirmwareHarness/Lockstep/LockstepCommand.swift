import ArgumentParser
import Foundation
import TestSupport
import WatchLink

struct LockstepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockstep",
        abstract: "Executes programs on our Cortex-M4 and on QEMU's, and compares registers and memory.")

    @Option(help: "The fewest instructions of random programs.")
    var instructions = 100_000

    @Option(help: "What programs are made from; a new one if it is left out.")
    var seed: UInt64?

    @Option(
        help:
            "Executes one program alone, by its kind, random or exceptions, and the seed that a difference is reported with."
    )
    var only: LockstepProgram.Kind?

    @Flag(help: "Prints how often each instruction was executed, and how often it is in each image.")
    var table = false

    @Argument(help: "Images whose instructions have to be executed.")
    var images: [String]

    func run() throws {
        guard !images.isEmpty else { throw ValidationError("there is no image") }
        let seed = seed ?? Seed.chosen()
        let start = ContinuousClock.now
        var run = try LockstepRun(instructions: instructions, seed: seed, images: images)
        do throws(LockstepError) {
            if let only {
                try run.run(only, seed)
            } else {
                try run.run { tell("\($0.instructions) instructions, \(since(start)) s") }
            }
        } catch {
            tell("lockstep with QEMU fails: \(error) (seed \(seed))")
            throw ExitCode.failure
        }
        if table { print(run.report.table) }
        print(run.report.summary(seed: seed, seconds: since(start)))
        guard only == nil, !run.report.missing.isEmpty else { return }
        tell("error: never executed, and in an image: \(run.report.missing.joined(separator: ", "))")
        throw ExitCode.failure
    }

    private func since(_ start: ContinuousClock.Instant) -> Int {
        Int((ContinuousClock.now - start).components.seconds)
    }

    private func tell(_ line: String) { FileHandle.standardError.write(Data("\(line)\n".utf8)) }
}

extension LockstepProgram.Kind: ExpressibleByArgument {}

/// Compares our processor with QEMU's on random programs, until at least `instructions` instructions have shown no
/// difference.
struct LockstepRun {
    let instructions: Int
    let seed: UInt64
    private let images: [ImageListing]
    private(set) var coverage = Coverage()

    init(instructions: Int, seed: UInt64, images paths: [String]) throws(LockstepError) {
        self.instructions = instructions
        self.seed = seed
        var images: [ImageListing] = []
        for path in paths { images.append(try ImageListing(path)) }
        self.images = images
    }

    var report: LockstepReport { LockstepReport(coverage: coverage, images: images) }

    /// - Parameter progress: called each time another twentieth of `instructions` has been executed.
    mutating func run(_ progress: (Coverage) -> Void) throws(LockstepError) {
        var random = SplitMix64(seed: seed)
        var told = 0
        while let kind = nextKind {
            // Random programs alternate between their two endings. Whether the seed is even chooses the ending.
            let turns: UInt64 =
                switch kind {
                case .random: 2
                case .exceptions: 1
                }
            let drawn = random.next() >> 16
            try run(kind, drawn - drawn % turns + UInt64(coverage[kind].programs) % turns)
            if 20 * coverage.instructions / max(instructions, 1) > told {
                told = 20 * coverage.instructions / max(instructions, 1)
                progress(coverage)
            }
        }
    }

    mutating func run(_ kind: LockstepProgram.Kind, _ seed: UInt64) throws(LockstepError) {
        switch kind {
        case .random:
            let run = try RandomRun(seed)
            try execute(run.program)
        case .exceptions:
            let run = try ExceptionRun(seed)
            try execute(run.program)
        }
    }

    private mutating func execute(_ program: LockstepProgram) throws(LockstepError) {
        var comparison = try Comparison(program)
        try comparison.run()
        coverage.add(comparison.executed, of: program)
    }

    /// The kind of the next program; nil at the end of the run. At least two random programs run: one ends with a
    /// fault, and one ends asleep.
    private var nextKind: LockstepProgram.Kind? {
        // A program of exceptions has only about 1,500 instructions, and QEMU starts anew for each program.
        if coverage[.exceptions].instructions < 4_000 + instructions / 50 { return .exceptions }
        return coverage[.random].programs < 2 || coverage[.random].instructions < instructions ? .random : nil
    }
}

enum LockstepError: Error, Equatable {
    /// QEMU does not start, ends early, or sends something unexpected.
    case emulator(String)
    case difference(program: String, after: Int, at: String, String)
    case unusable(String)
}

extension LockstepError: CustomStringConvertible {
    var description: String {
        switch self {
        case .emulator(let what): "QEMU: \(what)"
        case .difference(let program, let count, let place, let what):
            "\(program), after \(count) instructions, the last of them \(place): \(what)"
        case .unusable(let what): what
        }
    }
}
