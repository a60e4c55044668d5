import Foundation
import WatchLink

/// Executes random programs and runs with taps beside QEMU until a number of instructions has shown no difference.
struct LockstepRun {
    let instructions: Int
    let seed: UInt64
    private let taps: TapRun
    private let images: [ImageListing]
    private(set) var coverage = Coverage()

    /// A run that compares every instruction from the start of the watch on has two million: they are made in runs of at least this
    /// number of instructions.
    private static let long = 5_000_000

    /// - Parameters:
    ///   - instructions: the fewest, one half of random programs and the other one of runs with taps.
    ///   - lab: the file of the lab's image, which is executed.
    ///   - others: files of other images, whose instructions are to be executed in some program.
    init(instructions: Int, seed: UInt64, lab: String, others: [String]) throws(LockstepError) {
        self.instructions = instructions
        self.seed = seed
        taps = try TapRun(lab)
        var images: [ImageListing] = []
        for path in [lab] + others { images.append(try ImageListing(path)) }
        self.images = images
    }

    var report: LockstepReport { LockstepReport(coverage: coverage, images: images) }

    /// Executes programs up to the number of instructions.
    ///
    /// - Parameter progress: is told each time that another twentieth of them is done.
    mutating func run(_ progress: (Coverage) -> Void) throws(LockstepError) {
        var random = SplitMix64(seed: seed)
        var told = 0
        while let kind = nextKind {
            // Each ending, and each handler, in turn.
            let turns: UInt64 = kind == .random ? 2 : UInt64(taps.handlers)
            let drawn = random.next() >> 16
            try run(kind, drawn - drawn % turns + UInt64(coverage[kind].programs) % turns)
            if 20 * coverage.instructions / max(instructions, 1) > told {
                told = 20 * coverage.instructions / max(instructions, 1)
                progress(coverage)
            }
        }
    }

    /// Executes the program of a seed.
    mutating func run(_ kind: LockstepProgram.Kind, _ seed: UInt64) throws(LockstepError) {
        switch kind {
        case .random:
            let run = try RandomRun(seed)
            try execute(run.program)
        case .tap, .taps: try execute(taps.program(kind, seed))
        }
    }

    private mutating func execute(_ program: LockstepProgram) throws(LockstepError) {
        var comparison = try Comparison(program)
        try comparison.run()
        coverage.add(comparison.executed, of: program)
    }

    /// The kind of the program that is next: that of which fewer instructions were executed; nil at the end. Both endings of random
    /// programs, and the handlers `shipping` and `legacy`, are always among them.
    private var nextKind: LockstepProgram.Kind? {
        let kinds: [LockstepProgram.Kind] = [.random, instructions < LockstepRun.long ? .tap : .taps]
        let wanting = kinds.filter {
            coverage[$0].programs < 2 || coverage[$0].instructions < instructions / 2
        }
        return wanting.min { coverage[$0].instructions < coverage[$1].instructions }
    }
}
