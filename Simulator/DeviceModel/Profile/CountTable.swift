import Watch

package enum TapPart: String, Sendable, CaseIterable {
    /// From the touch interrupt to the tap's first stage: wakes up, finds the row and begins the tap.
    case touch
    /// From the end of a stage to the next stage, or to the end of the handler.
    case between
    /// Before lines are sent to the panel: asks for the changed lines.
    case flush
    /// For each line: finds it, copies it into a transfer buffer and hands it to the panel's bus.
    case line
    /// While the panel receives the last line: records which rows the lines show.
    case meanwhile
    /// From the end of the last transfer to the report that the panel shows the lines.
    case shown
    /// Removes a row from the screen, up to the first line that it sends.
    case removal
    /// Draws a change from the phone, up to the first line that it sends.
    case news
    /// Draws one line of another screen that the wearer has opened.
    case drawnLine
    /// Handles a datagram from the phone.
    case datagram
    /// Wakes up, finds nothing to do and waits again.
    case wake
}

/// The instructions and cycles of the program's parts, counted in its machine code. A simulated watch runs code compiled for
/// this machine, and charges its board the times of this table instead.
package struct CountTable: Sendable, Equatable {
    package var parts: [TapPart: CodeCount]
    package var stages: [String: CodeCount]
    /// The handler's work for each message, button and file. `MessageTitle` makes the keys. `tapline count` prints a
    /// handler's entries.
    package var messages = [MessageTitle.fileCheck: CountTable.fileCheck]
    /// The handler's code outside its stages. The value under `.immediate` is charged when the tap begins, and the value under
    /// `.deferred` when the panel is updated.
    package var aroundStages: [StagePlacement: CodeCount] = [:]

    package init(parts: [TapPart: CodeCount], stages: [String: CodeCount]) {
        self.parts = parts
        self.stages = stages
    }

    package subscript(part: TapPart) -> CodeCount { parts[part] ?? .zero }

    /// The table for a list with this number of open items. The title bar takes longer to draw if the number has more digits,
    /// so there are columns for one, two, three, and four or more digits.
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

    /// Pairs the numbers: first the instructions of a column, then its cycles.
    static func columns(_ numbers: Int...) -> [CodeCount] {
        stride(from: 0, to: numbers.count, by: 2).map { CodeCount(instructions: numbers[$0], cycles: numbers[$0 + 1]) }
    }

    /// The counts for the SHA-256 of 256 bytes of a file: the maximum that `tapline count` reports for `Tests/Examples`.
    package static let fileCheck = CodeCount(instructions: 19_112, cycles: 25_476)

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

    /// Estimates cycles that were not measured. Each instruction takes the average cycles of the profile `memory-lcd`.
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
