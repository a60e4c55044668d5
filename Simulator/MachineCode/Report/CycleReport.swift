import CortexM

/// What a section of a program costs: all of it, and each function.
package struct CycleReport: Sendable {
    package struct Row: Equatable, Sendable {
        package let function: String
        /// What the function has spent itself, without the functions that it called.
        package let own: CallTree.Spent
    }

    package let total: CallTree.Spent
    /// The fewest and the most cycles that the core's manual allows for the same instructions.
    package let bounds: ClosedRange<UInt64>
    package let ending: ProgramRun.Ending
    /// What the program has printed.
    package let output: [UInt8]
    /// Most cycles first.
    package let rows: [Row]
    /// Ways through the functions with their cycles, as flame graph programs read them.
    package let folded: String

    /// Executes a program.
    ///
    /// - Parameter limit: the most instructions, at least 1.
    package init(
        of image: ELFImage, _ section: ProgramRun.Section, limit: UInt64
    ) throws(MachineCodeError) {
        var run = try ProgramRun(image, limit: limit)
        let outcome = try run.execute(section)
        total = outcome.tree.total
        bounds = outcome.cycleBounds
        ending = outcome.ending
        output = outcome.output
        rows = outcome.tree.byFunction.map { Row(function: image.functions.title($0.function), own: $0.own) }
        folded = outcome.tree.folded(image.functions)
    }

    /// Cycles for an instruction; nil for none.
    package var cyclesPerInstruction: Double? {
        total.instructions == 0 ? nil : Double(total.cycles) / Double(total.instructions)
    }
}
