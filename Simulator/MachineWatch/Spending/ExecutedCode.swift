import DeviceModel

/// What the processor has executed.
package struct ExecutedCode: Sendable, Equatable, AdditiveArithmetic {
    package var instructions: Int
    package var cycles: Int
    /// The fewest and the most cycles that the manual of the core allows for these instructions.
    package var fewestCycles: Int
    package var mostCycles: Int

    package init(instructions: Int, cycles: Int, fewestCycles: Int, mostCycles: Int) {
        (self.instructions, self.cycles) = (instructions, cycles)
        (self.fewestCycles, self.mostCycles) = (fewestCycles, mostCycles)
    }

    package static let zero = ExecutedCode(instructions: 0, cycles: 0, fewestCycles: 0, mostCycles: 0)

    /// Without what the manual allows.
    package var count: CodeCount { CodeCount(instructions: instructions, cycles: cycles) }

    package static func + (one: ExecutedCode, other: ExecutedCode) -> ExecutedCode {
        ExecutedCode(
            instructions: one.instructions + other.instructions, cycles: one.cycles + other.cycles,
            fewestCycles: one.fewestCycles + other.fewestCycles, mostCycles: one.mostCycles + other.mostCycles)
    }

    package static func - (one: ExecutedCode, other: ExecutedCode) -> ExecutedCode {
        ExecutedCode(
            instructions: one.instructions - other.instructions, cycles: one.cycles - other.cycles,
            fewestCycles: one.fewestCycles - other.fewestCycles, mostCycles: one.mostCycles - other.mostCycles)
    }
}
