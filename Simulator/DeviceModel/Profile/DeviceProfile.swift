import WatchLink

/// The costs of operations on a device: the time that the model charges, and the charge from the battery.
public struct DeviceProfile: Sendable, Equatable {
    /// The short name by which it is chosen, such as "memory-lcd".
    public var name: String
    /// What it is, in a few words.
    public var title: String
    package var processor: Processor
    package var panel: PanelCost
    package var flash: FlashCost
    package var haptic: HapticCost
    package var touch: TouchCost
    package var radio: RadioCost
    package var phone: PhoneCost
    package var energy: EnergyCost
    /// A sentence for each number without a source.
    package var assumptions: [String] = []

    /// The built-in profiles.
    public static let builtIn: [DeviceProfile] = [.memoryLCD, .colourSPI, .instant]

    /// Nil if there is none of this name.
    public static func named(_ name: String) -> DeviceProfile? {
        builtIn.first { $0.name == name }
    }
}

package struct Processor: Sendable, Equatable, Codable {
    /// Cycles a second, 10,000 to 1,000,000,000; nil for a processor that takes no time.
    package var clockHertz: Int?
    /// Cycles of an average instruction, 0 to 100, for instructions that were stated, not executed. The cycles of a
    /// table are of another processor, and are scaled by the two averages.
    package var cyclesPerInstruction: Double
    /// Wait cycles for a line of instructions that is in no cache, and for data in flash: 0 to 15.
    package var flashWaitStates = 0
    /// Bytes of the cache of instructions, a power of two from 32 to 65,536; nil for none.
    package var cacheBytes: Int?
    /// Bytes of one of its lines, a power of two from 4 to 256, at most half of the cache.
    package var cacheLineBytes = 16

    /// The cycles of what was counted on the processor of `memory-lcd`, rounded.
    package func cycles(of count: CodeCount) -> Int {
        let counted = DeviceProfile.memoryLCD.processor.cyclesPerInstruction
        if cyclesPerInstruction == counted { return count.cycles }
        return Int((Double(count.cycles) * cyclesPerInstruction / counted).rounded())
    }

    /// Rounded down to whole microseconds. Charges are differences of this over everything executed so far, so no
    /// remainder is lost.
    package func time(cycles: Int) -> Microseconds {
        guard let clockHertz else { return .zero }
        return Microseconds(UInt64(cycles) * 1_000_000 / UInt64(clockHertz))
    }

    /// `instructions` may be a mean.
    package func microseconds(instructions: Double) -> Double {
        guard let clockHertz else { return 0 }
        return instructions * cyclesPerInstruction * 1_000_000 / Double(clockHertz)
    }
}

package struct HapticCost: Sendable, Equatable {
    /// The processor waits while it writes the pattern and the order to start over the bus.
    package var busWrite: Microseconds
    /// From the order to the first movement. The processor does not wait.
    package var start: Microseconds
    /// From the first movement until it can be felt.
    package var rise = Microseconds.zero
}

/// The phone's database, which a message waits for before it is acknowledged.
package struct PhoneCost: Sendable, Equatable {
    /// The phone's system suspends an idle app.
    package struct Suspension: Sendable, Equatable {
        /// The shortest time without a message.
        package var after: Microseconds
        /// From the next message until the app runs and begins its transaction.
        package var wakeUp: Microseconds
    }

    /// A thousand rows, because one takes too little to be told in microseconds.
    package var readThousandRows: Microseconds
    /// Committing a transaction to the phone's storage, however little it changes.
    package var commit: Microseconds
    /// Nil for an app that always runs. Signs of life are answered in any case.
    package var suspension: Suspension?

    /// The wait of a message that comes after none for `idle`.
    package func wakeUp(after idle: Microseconds) -> Microseconds {
        guard let suspension, idle >= suspension.after else { return .zero }
        return suspension.wakeUp
    }

    /// The time of a transaction that reads this number of rows and changes something.
    package func transaction(rows: Int) -> Microseconds {
        Microseconds(readThousandRows.count * UInt64(rows) / 1_000) + commit
    }
}
