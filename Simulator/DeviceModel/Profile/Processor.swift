import WatchLink

/// What executing instructions takes.
public struct Processor: Sendable, Equatable {
    /// Cycles a second, 10,000 to 1,000,000,000; nil for a processor that takes no time.
    public var clockHertz: Int?
    /// Cycles of an average instruction, 0 to 100: an assumption, since the emulator that counts the instructions models
    /// neither the pipeline nor the wait states of the flash memory.
    public var cyclesPerInstruction: Double

    /// A processor of this speed.
    public init(clockHertz: Int?, cyclesPerInstruction: Double) {
        self.clockHertz = clockHertz
        self.cyclesPerInstruction = cyclesPerInstruction
    }

    /// The whole microseconds in which so many instructions are executed; a rest is cut off. Charges are taken as differences
    /// of it over everything executed so far, so that no rest is ever lost.
    public func time(instructions: Int) -> Microseconds {
        Microseconds(UInt64(microseconds(instructions: Double(instructions))))
    }

    /// The microseconds in which so many instructions are executed, a mean of them for instance.
    public func microseconds(instructions: Double) -> Double {
        guard let clockHertz else { return 0 }
        return instructions * cyclesPerInstruction * 1_000_000 / Double(clockHertz)
    }
}
