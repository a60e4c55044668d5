import WatchLink

/// What everything costs on a device: the time that the model charges for it, and the charge from the battery.
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
    /// The database of the phone at the other end.
    package var phone: PhoneCost
    /// What it all takes from the battery.
    package var energy: EnergyCost
    /// The numbers that no document supports, a sentence each.
    package var assumptions: [String] = []

    /// The built-in profiles.
    public static let builtIn: [DeviceProfile] = [.memoryLCD, .colourSPI, .instant]

    /// The built-in profile called `name`, or nil.
    public static func named(_ name: String) -> DeviceProfile? {
        builtIn.first { $0.name == name }
    }
}

/// What executing instructions takes.
package struct Processor: Sendable, Equatable, Codable {
    /// Cycles a second, 10,000 to 1,000,000,000; nil for a processor that takes no time.
    package var clockHertz: Int?
    /// Cycles of an average instruction, 0 to 100, where the program is not executed: of instructions that somebody has stated. The
    /// cycles of a table are those of another processor, and are scaled by the two processors' averages.
    package var cyclesPerInstruction: Double
    /// Cycles that executed code waits for a line of instructions that no cache has, and for data in flash: 0 to 15.
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

    /// The time of this number of cycles, rounded down to whole microseconds. Charges are taken as differences of it over
    /// everything executed so far, so that no rest is ever lost.
    package func time(cycles: Int) -> Microseconds {
        guard let clockHertz else { return .zero }
        return Microseconds(UInt64(cycles) * 1_000_000 / UInt64(clockHertz))
    }

    /// The microseconds of a number of instructions that may be a mean.
    package func microseconds(instructions: Double) -> Double {
        guard let clockHertz else { return 0 }
        return instructions * cyclesPerInstruction * 1_000_000 / Double(clockHertz)
    }
}

/// What starting the haptic driver takes.
package struct HapticCost: Sendable, Equatable {
    /// Writing the pattern's number and the order to start over the bus, for which the processor waits.
    package var busWrite: Microseconds
    /// From the order to the first movement, for which nobody waits.
    package var start: Microseconds
    /// From there until the movement is strong enough to be felt.
    package var rise = Microseconds.zero
}

/// What the phone's database takes, which a message of the watch waits for before it is acknowledged.
package struct PhoneCost: Sendable, Equatable {
    /// The phone's system suspends an app that has nothing to do.
    package struct Suspension: Sendable, Equatable {
        /// For how long there has to be no message.
        package var after: Microseconds
        /// From the next message until the app runs and begins its transaction.
        package var wakeUp: Microseconds
    }

    /// Reading a thousand rows of a list, and queueing them for the watch: a single row takes too little to be told in
    /// microseconds.
    package var readThousandRows: Microseconds
    /// Committing a transaction to the phone's storage, however little it changes.
    package var commit: Microseconds
    /// When its app is suspended; nil for one that always runs. Signs of life are answered in any case.
    package var suspension: Suspension?

    /// What a message waits for that comes when there was none for `idle`.
    package func wakeUp(after idle: Microseconds) -> Microseconds {
        guard let suspension, idle >= suspension.after else { return .zero }
        return suspension.wakeUp
    }

    /// The time of a transaction that reads this number of rows and changes something.
    package func transaction(rows: Int) -> Microseconds {
        Microseconds(readThousandRows.count * UInt64(rows) / 1_000) + commit
    }
}
