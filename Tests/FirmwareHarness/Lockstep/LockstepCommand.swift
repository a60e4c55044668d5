import ArgumentParser
import Foundation
import TestSupport
import WatchLink

struct LockstepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lockstep",
        abstract: "Executes programs on our Cortex-M4 and on QEMU's, and compares registers and memory.")

    @Option(help: "The fewest instructions: half of them random, half of the lab's image while it is tapped.")
    var instructions = 100_000

    @Option(help: "What programs and taps are made from; a new one where it is left out.")
    var seed: UInt64?

    @Option(
        help:
            "Executes one program alone, by its kind, random, exceptions, tap or taps, and the seed that a difference is reported with."
    )
    var only: LockstepProgram.Kind?

    @Flag(help: "Prints how often each instruction was executed, and how often it is in each image.")
    var table = false

    @Argument(help: "The lab's image, and others whose instructions have to be executed, too.")
    var images: [String]

    func run() throws {
        guard let lab = images.first else { throw ValidationError("there is no image") }
        let seed = seed ?? Seed.chosen()
        let start = ContinuousClock.now
        var run = try LockstepRun(instructions: instructions, seed: seed, lab: lab, others: Array(images.dropFirst()))
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

/// Executes random programs and runs with taps until a number of instructions has shown no difference.
struct LockstepRun {
    let instructions: Int
    let seed: UInt64
    private let taps: TapRun
    private let images: [ImageListing]
    private(set) var coverage = Coverage()

    /// From this number of instructions on, runs are compared from the start of the watch, which takes two million instructions
    /// each.
    private static let long = 5_000_000

    /// - Parameters:
    ///   - instructions: the fewest; half of them of random programs, half of runs with taps.
    ///   - lab: the file of the lab's image, which is executed.
    ///   - others: files of other images, whose instructions have to be executed in some program.
    init(instructions: Int, seed: UInt64, lab: String, others: [String]) throws(LockstepError) {
        self.instructions = instructions
        self.seed = seed
        taps = try TapRun(lab)
        var images: [ImageListing] = []
        for path in [lab] + others { images.append(try ImageListing(path)) }
        self.images = images
    }

    var report: LockstepReport { LockstepReport(coverage: coverage, images: images) }

    /// - Parameter progress: called after each twentieth of the instructions.
    mutating func run(_ progress: (Coverage) -> Void) throws(LockstepError) {
        var random = SplitMix64(seed: seed)
        var told = 0
        while let kind = nextKind {
            // All endings and all handlers take turns.
            let turns: UInt64 =
                switch kind {
                case .random: 2
                case .exceptions: 1
                case .tap, .taps: UInt64(taps.handlers)
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
        case .tap, .taps: try execute(taps.program(kind, seed))
        }
    }

    private mutating func execute(_ program: LockstepProgram) throws(LockstepError) {
        var comparison = try Comparison(program)
        try comparison.run()
        coverage.add(comparison.executed, of: program)
    }

    /// The kind with fewer instructions so far; nil at the end. Both endings of random programs and the first two handlers always
    /// occur.
    private var nextKind: LockstepProgram.Kind? {
        // A program of exceptions has about 1,500 instructions, and QEMU starts for each.
        if coverage[.exceptions].instructions < 4_000 + instructions / 50 { return .exceptions }
        let kinds: [LockstepProgram.Kind] = [.random, instructions < LockstepRun.long ? .tap : .taps]
        let wanting = kinds.filter {
            coverage[$0].programs < 2 || coverage[$0].instructions < instructions / 2
        }
        return wanting.min { coverage[$0].instructions < coverage[$1].instructions }
    }
}

enum LockstepError: Error, Equatable {
    /// QEMU does not do what it is asked for.
    case emulator(String)
    case difference(program: String, after: Int, at: String, String)
    /// A program, an image or an argument cannot be used.
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
