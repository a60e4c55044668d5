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

    /// The built-in profiles.
    public static let builtIn: [DeviceProfile] = [.memoryLCD, .colourSPI, .instant]

    /// The built-in profile called `name`, or nil.
    public static func named(_ name: String) -> DeviceProfile? {
        builtIn.first { $0.name == name }
    }
}

/// What executing instructions takes.
package struct Processor: Sendable, Equatable {
    /// Cycles a second, 10,000 to 1,000,000,000; nil for a processor that takes no time.
    package var clockHertz: Int?
    /// Cycles of an average instruction, 0 to 100: an assumption, since the emulator that counts the instructions models
    /// neither the pipeline nor the wait states of the flash memory.
    package var cyclesPerInstruction: Double

    /// The time of this number of instructions, rounded down to whole microseconds. Charges are taken as differences
    /// of it over everything executed so far, so that no rest is ever lost.
    package func time(instructions: Int) -> Microseconds {
        Microseconds(UInt64(microseconds(instructions: Double(instructions))))
    }

    /// The microseconds of a number of instructions that may be a mean.
    package func microseconds(instructions: Double) -> Double {
        guard let clockHertz else { return 0 }
        return instructions * cyclesPerInstruction * 1_000_000 / Double(clockHertz)
    }
}

/// What sending lines to the panel takes: bits over a serial bus.
package struct PanelCost: Sendable, Equatable {
    /// Bits a second on the panel's bus, 1,000 to 1,000,000,000; nil for a bus that takes no time.
    package var busHertz: Int?
    /// Bits of one line: its pixels and what frames them.
    package var bitsPerLine: Int
    /// Bits that are sent once for a run of lines: the mode or window before them, the trailer after them.
    package var bitsPerFlush: Int

    /// The time of this number of bits, in whole microseconds, rounded down.
    package func time(bits: Int) -> Microseconds {
        guard let busHertz else { return .zero }
        return Microseconds(UInt64(bits) * 1_000_000 / UInt64(busHertz))
    }

    /// The time of a run of lines by itself: the lower bound for this panel.
    package func time(lines: Int) -> Microseconds {
        lines == 0 ? .zero : time(bits: bitsPerFlush + lines * bitsPerLine)
    }
}

/// What the flash chip takes.
package struct FlashCost: Sendable, Equatable {
    /// A length that a datasheet gives twice.
    package struct Length: Sendable, Equatable {
        package var typical: Microseconds
        /// What it may take at most: of a chip at the end of its life, cold, at the lowest supply.
        package var maximum: Microseconds
    }

    /// The interruption of an erase for a read or a program.
    package struct EraseSuspend: Sendable, Equatable {
        /// The time from the order until another sector can be read or programmed.
        package var latency: Microseconds
        /// The shortest time from one resumption to the next suspension.
        package var betweenSuspends: Microseconds
    }

    /// Programming bytes within one page.
    package var pageProgram: Length
    package var sectorErase: Length
    package var eraseSuspend: EraseSuspend
}

extension FlashCost.Length {
    package func at(_ pace: FlashPace) -> Microseconds {
        switch pace {
        case .typical: typical
        case .maximum: maximum
        }
    }
}

/// What starting the haptic driver takes.
package struct HapticCost: Sendable, Equatable {
    /// Writing the pattern's number and the order to start over the bus, for which the processor waits.
    package var busWrite: Microseconds
    /// From the order to the first movement, for which nobody waits.
    package var start: Microseconds
}

/// What the touch controller takes to see a finger.
package struct TouchCost: Sendable, Equatable {
    /// The time from one scan to the next; a finger is seen, and the interrupt fires, at the next scan.
    package var scanInterval: Microseconds

    /// When the interrupt fires for a finger that came down at `instant`. Scans are counted from the start of the board.
    package func interrupt(after instant: Instant) -> Instant {
        let interval = scanInterval.count
        guard interval > 0 else { return instant }
        let scans = instant.microseconds / interval + (instant.microseconds % interval == 0 ? 0 : 1)
        return Instant(microseconds: scans * interval)
    }
}

/// What the phone's database takes, which a message of the watch waits for before it is acknowledged.
package struct PhoneCost: Sendable, Equatable {
    /// Reading a thousand rows of a list, and queueing them for the watch: a single row takes too little to be told in
    /// microseconds.
    package var readThousandRows: Microseconds
    /// Committing a transaction to the phone's storage, however little it changes.
    package var commit: Microseconds

    /// The time of a transaction that reads this number of rows and changes something.
    package func transaction(rows: Int) -> Microseconds {
        Microseconds(readThousandRows.count * UInt64(rows) / 1_000) + commit
    }
}
