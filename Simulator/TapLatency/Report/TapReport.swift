import DeviceModel
import Emulator
import FoundationEssentials
import Watch
import WatchLink

/// The measurement of one handler.
public struct TapReport: Sendable, Encodable, Equatable {
    /// The report's format. Reports of different formats cannot be compared.
    package static let currentFormat = 2

    package var format = TapReport.currentFormat
    package var handler: String
    package var profile: String
    /// By their keys in the profile's file.
    package var profileNumbers: [String: Double]
    /// Items on the watch.
    package var items: Int
    /// Items on the phone.
    package var database: Int
    /// The number of measured taps.
    public var taps: Int
    package var seed: UInt64
    /// The time to each mark.
    public var marks: MarkTimes
    /// Times with the fewest and the most cycles that the manual allows; nil if no machine code was executed.
    package var bounds: TimeBounds<MarkTimes>?
    /// The marks of a few taps on a connection with its slow parameters; nil if not measured.
    package var atRest: MarkTimes?
    /// The source of the processor's time.
    public var processor = ProcessorTime.counted
    /// Whether the times include the handler's code outside its stages.
    public var ownCode = InstructionCount.counted
    /// Why the times lack that code; nil if they have it, or if there is no count.
    package var ownCodeReason: String?
    /// The processor's time around the stages before the update, in microseconds; 0 if unknown.
    package var ownTime: UInt64 = 0
    /// The stages in the order in which they ran.
    public var stages: [StageReport]
    /// The cycles outside stages over all taps and the time between them; nil if no machine code was executed.
    package var aroundStages: CallProfile?
    /// Lines that the mean tap sends to the panel.
    package var dirtyLines: RedrawnLines
    /// Bytes of the datagrams of a tap over the radio link, in both directions together.
    public var bytesOnAir: Double
    /// Microcoulombs from the battery for a tap, beyond the charge of a watch at rest.
    public var charge: Double
    package var panelFloor: PanelFloor
    package var senses = SensedTimes()
    /// Numbers of the profile that no document supports, a sentence each.
    package var assumptions: [String] = []

    /// The report as JSON, times in microseconds: indented, keys in alphabetical order. The same report gives the same bytes.
    public var json: [UInt8] { reportJSON() }
}

/// The source of a measurement's processor time.
public enum ProcessorTime: String, Sendable, Codable {
    /// The machine code of the handler was executed.
    case executed
    /// A table gives the instructions of each stage, and the profile gives the cycles of an instruction.
    case counted
    /// The handler is not composed of stages, so its code cannot be counted, and every time lacks it.
    case unknown = "not known"

    /// A short description.
    package var words: String {
        switch self {
        case .executed: "the processor's time by execution of the machine code"
        case .counted:
            "the processor's time as it was counted on \(CountTable.countedOn), not executed: Hardware/build --lab makes the image that is "
                + "executed"
        case .unknown: "the processor's time is not known: compose the handler with TapHandlerBuilder"
        }
    }
}

package struct RedrawnLines: Sendable, Encodable, Equatable {
    /// Lines of the struck row, and everything else that the immediate stages have drawn.
    package var update: Double
    /// Lines of the removal.
    package var removal: Double
}

/// The time to send the changed lines alone: no handler on this panel is faster.
package struct PanelFloor: Sendable, Encodable, Equatable {
    /// The lines of the struck row; nil if no tap updated the panel.
    package var updated: Distribution?
    /// The lines that change as the row goes; nil if no tap removed one.
    package var settled: Distribution?
}

/// The measurement of one stage of a handler.
public struct StageReport: Sendable, Encodable, Equatable {
    /// The stage's own name.
    public var name: String
    /// Whether the wearer waits for it.
    public var placement: StagePlacement
    /// The distribution of its time over the taps.
    public var time: Distribution
    /// Times with the fewest and the most cycles that the manual allows; nil if no machine code was executed.
    package var bounds: TimeBounds<Distribution>?
    /// The mean time of a tap in it, split into kinds.
    public var mean: TimeKinds
    /// Whether the times include the instructions that the stage executes.
    public var instructionCount = InstructionCount.counted
    /// The cycles of all taps by function; nil if no machine code was executed, or the caller does not ask for them.
    package var code: CallProfile?

    var withoutCode: StageReport {
        var report = self
        report.code = nil
        return report
    }
}

extension InstructionCount {
    /// Nil if the time is complete.
    package var note: String? { self == .notCounted ? "CPU not counted" : nil }

    /// The note at the end of a sentence, after the time.
    var remark: String { note.map { " (\($0))" } ?? "" }
}

// MARK: JSON

extension Encodable where Self: Sendable {
    /// Indented, keys in alphabetical order, a new line at the end. The same report gives the same bytes.
    func reportJSON() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return try Array(encoder.encode(self)) + [UInt8(ascii: "\n")]
        } catch {
            preconditionFailure("numbers and texts can be written as JSON: \(error)")
        }
    }
}

extension StagePlacement: Codable {
    package var word: String {
        switch self {
        case .immediate: "immediate"
        case .deferred: "deferred"
        }
    }

    /// - Throws: `DecodingError` for a word that is no placement.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try container.decode(String.self) {
        case StagePlacement.immediate.word: self = .immediate
        case StagePlacement.deferred.word: self = .deferred
        case let word:
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a stage is not placed '\(word)'")
        }
    }

    /// Writes the placement as a word.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}
