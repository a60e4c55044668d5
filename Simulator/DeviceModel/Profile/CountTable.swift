import Watch

/// A part of the program around the stages of a tap.
package enum TapPart: String, Sendable, CaseIterable {
    /// From the touch interrupt to the tap's first stage: waking up, finding the row, beginning the tap.
    case touch
    /// From the end of a stage to the next one or the end of the handler.
    case between
    /// Before the first line of a run: asking for the changed lines.
    case flush
    /// A line of a run: finding it, framing it in a transfer buffer, handing it to the panel's bus.
    case line
    /// While the last line is on its way: noting which rows the run shows.
    case meanwhile
    /// From the end of the last transfer to the report that the lines are on the panel.
    case shown
    /// Taking a row off the screen, up to the first line sent.
    case removal
    /// Drawing news of the phone, up to the first line sent.
    case news
    /// Drawing a line of another screen that the wearer asked for.
    case drawnLine
    /// The consequences of a datagram from the phone.
    case datagram
    /// Waking up, finding nothing to do, and waiting again.
    case wake
}

/// Instructions and cycles of the program's parts, counted from its machine code. The table charges the time of a watch whose
/// code is compiled for this machine.
package struct CountTable: Sendable, Equatable {
    package var parts: [TapPart: CodeCount]
    package var stages: [String: CodeCount]
    /// The work for each message, button and file of the handler, by `MessageTitle`. `tapline count` prints the entries for a
    /// handler.
    package var messages = [MessageTitle.fileCheck: CountTable.fileCheck]
    /// The handler's work outside its stages: charged when the tap begins, and when the panel is updated.
    package var aroundStages: [StagePlacement: CodeCount] = [:]

    package init(parts: [TapPart: CodeCount], stages: [String: CodeCount]) {
        self.parts = parts
        self.stages = stages
    }

    package subscript(part: TapPart) -> CodeCount { parts[part] ?? .zero }

    /// The table for this number of items left. The title bar takes longer to draw with more digits: there is a column for one,
    /// two, three, and four or more.
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

    /// Counts of the columns, from numbers that alternate between instructions and cycles.
    static func columns(_ numbers: Int...) -> [CodeCount] {
        stride(from: 0, to: numbers.count, by: 2).map { CodeCount(instructions: numbers[$0], cycles: numbers[$0 + 1]) }
    }

    /// Hashing 256 bytes of a file with SHA-256: the maximum in `Tests/Examples`, by `tapline count`.
    package static let fileCheck = CodeCount(instructions: 19_112, cycles: 25_476)

    /// The numbers of items for which the columns are counted.
    package static let columns = [8, 32, 128, 2_000]
}

package struct CodeCount: Sendable, Equatable, AdditiveArithmetic {
    package var instructions: Int
    /// On the processor of `memory-lcd`, including its flash wait states and its cache.
    package var cycles: Int

    package init(instructions: Int, cycles: Int) {
        self.instructions = instructions
        self.cycles = cycles
    }

    /// A count without measured cycles. Each instruction takes the profile's average.
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

/// Names for a watch's work on its handler's messages, in tables and reports.
package enum MessageTitle {
    /// Hashing a part of a file, on every watch whose handler accepts files.
    package static let fileCheck = "file check"

    /// - Parameter button: the button, from 0.
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
