import Watch

/// A section of the watch program's code. `CountTable` has the mean counts of each section.
package enum TapPart: String, Sendable, CaseIterable {
    /// From the start of the main loop's step that takes the touch, to the tap's first stage. Finds the row and begins the tap.
    case touch
    /// From the end of a stage to the beginning of the next stage, or from the end of the last immediate stage to the mark
    /// `handled`.
    case between
    /// Prepares to send lines to the panel: finds the first changed line.
    case flush
    /// Sends one changed line: finds it, copies it into a transfer buffer and passes it to the panel's bus.
    case line
    /// Records which rows the panel shows, because touches are matched to these rows. This code runs while the panel receives
    /// the last line.
    case meanwhile
    /// From the end of the last transfer until the runtime reports that the panel shows the lines.
    case shown
    /// Removes a struck row from the picture. This code runs after a wait and before the watch sends the first line. Excludes
    /// the code of `flush`.
    case removal
    /// Draws a change that the phone has sent. This code runs after a wait and before the watch sends the first line. Excludes
    /// the code of `datagram` and `flush`.
    case news
    /// Draws one line of a screen that the wearer has opened.
    case drawnLine
    /// Handles a datagram from the phone.
    case datagram
    /// Wakes up, finds nothing to do and waits again.
    case wake
}

/// The instructions and cycles of the watch program's parts, counted in its Cortex-M4 machine code. A simulated watch runs code
/// compiled for the host, so its board charges the counts of this table.
package struct CountTable: Sendable, Equatable {
    package var parts: [TapPart: CodeCount]
    package var stages: [String: CodeCount]
    /// The counts of the handler's code for each message, button and file, and of `fileCheck`. `MessageTitle` makes the keys.
    /// `tapline count` prints a handler's counts.
    package var messages = [MessageTitle.fileCheck: CountTable.fileCheck]
    /// The counts of the handler's code outside its stages. The board charges the `.immediate` count at the mark `touch`, and
    /// the `.deferred` count at the mark `updated`.
    package var aroundStages: [StagePlacement: CodeCount] = [:]

    package init(parts: [TapPart: CodeCount], stages: [String: CodeCount]) {
        self.parts = parts
        self.stages = stages
    }

    package subscript(part: TapPart) -> CodeCount { parts[part] ?? .zero }

    /// Returns the table for a list with `items` open items. A tap draws the number of items that are left. A number with more
    /// digits takes longer to draw, so there is a column for 1, 2, 3 and 4 digits.
    package static func measured(items: Int) -> CountTable {
        let column =
            switch items {
            case ..<11: 0
            case ..<101: 1
            case ..<1_001: 2
            default: 3
            }
        return CountTable(
            parts: measuredParts.mapValues { $0[column] }, stages: measuredStages.mapValues { $0[column] })
    }

    /// Makes a count from each pair of numbers: the instructions of a column, then its cycles.
    static func columns(_ numbers: Int...) -> [CodeCount] {
        stride(from: 0, to: numbers.count, by: 2).map { CodeCount(instructions: numbers[$0], cycles: numbers[$0 + 1]) }
    }

    /// The count for adding 256 bytes of a file to its SHA-256 digest. Source: the maximum that `tapline count` finds for
    /// `Tests/Examples`.
    package static let fileCheck = CodeCount(instructions: 19_491, cycles: 34_141)

    /// The number of items for which each column was counted.
    package static let columns = [8, 32, 128, 2_000]
}

package struct CodeCount: Sendable, Equatable, AdditiveArithmetic {
    package var instructions: Int
    /// Cycles on the processor of the profile `memory-lcd`, with its flash wait states and its cache.
    package var cycles: Int

    package init(instructions: Int, cycles: Int) {
        self.instructions = instructions
        self.cycles = cycles
    }

    /// Estimates `cycles` for code whose cycles were not measured, with the average cycles per instruction of `memory-lcd`.
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

    package static func / (one: CodeCount, parts: Int) -> CodeCount {
        CodeCount(
            instructions: Int((Double(one.instructions) / Double(parts)).rounded()),
            cycles: Int((Double(one.cycles) / Double(parts)).rounded()))
    }
}

package enum MessageTitle {
    package static let fileCheck = "file check"

    package static func text(_ kind: MessageWork.Kind, _ name: String, button: UInt8) -> String {
        switch kind {
        case .value: "\(name): value"
        case .cleared: "\(name): cleared"
        case .queued: "\(name): queued"
        case .passed: "\(name): passed"
        case .asked: "\(name): asked"
        case .answered: "\(name): answered"
        case .refused: "\(name): refused"
        case .late: "\(name): late"
        case .outOfReach: "\(name): out of reach"
        case .file: "file"
        case .button: "button \(button)"
        case .fileCheck: fileCheck
        }
    }
}

extension MessageWork {
    var title: String { MessageTitle.text(kind, name.description, button: button) }
}
