/// What a piece of the program executes.
package struct CodeCount: Sendable, Equatable, AdditiveArithmetic {
    package var instructions: Int
    /// Processor cycles, on the processor of the profile `memory-lcd`: with its flash wait states and its cache.
    package var cycles: Int

    package init(instructions: Int, cycles: Int) {
        self.instructions = instructions
        self.cycles = cycles
    }

    /// Instructions whose cycles nobody has counted: they take what instructions take on average.
    package init(instructions: Int) {
        let average = DeviceProfile.memoryLCD.processor.cyclesPerInstruction
        self.init(instructions: instructions, cycles: Int((Double(instructions) * average).rounded()))
    }

    package static let zero = CodeCount(instructions: 0, cycles: 0)

    package static func + (one: CodeCount, other: CodeCount) -> CodeCount {
        CodeCount(instructions: one.instructions + other.instructions, cycles: one.cycles + other.cycles)
    }

    package static func - (one: CodeCount, other: CodeCount) -> CodeCount {
        CodeCount(instructions: one.instructions - other.instructions, cycles: one.cycles - other.cycles)
    }

    package static func * (times: Int, one: CodeCount) -> CodeCount {
        CodeCount(instructions: times * one.instructions, cycles: times * one.cycles)
    }

    /// A part of it, rounded.
    package static func / (one: CodeCount, parts: Int) -> CodeCount {
        CodeCount(
            instructions: Int((Double(one.instructions) / Double(parts)).rounded()),
            cycles: Int((Double(one.cycles) / Double(parts)).rounded()))
    }
}
