import ArgumentParser
import Foundation
import SeededNumbers

/// The command that executes programs on our processor and on QEMU's, one beside the other.
@main struct LockstepCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "Lockstep",
        abstract: "Executes programs on our Cortex-M4 and on QEMU's, and compares registers and memory.")

    @Option(help: "The fewest instructions: half of them random, half of the lab's image while it is tapped.")
    var instructions = 100_000

    @Option(help: "What programs and taps are made from; a new one where it is left out.")
    var seed: UInt64?

    @Option(
        help:
            "Executes one program alone, by its kind, random, tap or taps, and the seed that a difference is reported with."
    )
    var only: LockstepProgram.Kind?

    @Flag(help: "Prints how often each instruction was executed, and how often it is in each image.")
    var table: TableChoice = .short

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
        if table == .table { print(run.report.table) }
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

/// Whether the table of all instructions is printed.
enum TableChoice: String, EnumerableFlag {
    case table, short
}

extension LockstepProgram.Kind: ExpressibleByArgument {}
