import DeviceModel
import Emulator
import FoundationEssentials
import Watch
import WatchLink

/// The measurement of one handler.
public struct TapReport: Sendable, Encodable, Equatable {
    /// The format of the report. Reports of different formats cannot be compared.
    package static let currentFormat = 2

    package var format = TapReport.currentFormat
    package var handler: String
    package var profile: String
    /// The numbers of the profile, by their keys in a profile file.
    package var profileNumbers: [String: Double]
    package var items: Int
    package var database: Int
    /// The number of measured taps.
    public var taps: Int
    package var seed: UInt64
    /// The times from the touch interrupt to each mark.
    public var marks: MarkTimes
    /// The times with the fewest and the most cycles that the processor manual allows. Nil if no emulator executed the handler.
    package var bounds: TimeBounds<MarkTimes>?
    /// The times of a few taps on a connection with its slow parameters. Nil if they were not measured.
    package var atRest: MarkTimes?
    /// How the processor's time was determined.
    public var processor = ProcessorTime.counted
    /// Whether the times include the handler's code outside its stages.
    public var ownCode = InstructionCount.counted
    /// The reason why the times lack the handler's own code. Nil if they include that code, or if it was never counted.
    package var ownCodeReason: String?
    /// The time of the handler's own code before the update of the panel, in microseconds. 0 if it is unknown.
    package var ownTime: UInt64 = 0
    /// The stages in the order in which they ran.
    public var stages: [StageReport]
    /// The cycles outside the stages, for all taps and the time between them. Nil if no emulator executed the handler.
    package var aroundStages: CallProfile?
    /// How many lines a tap sends to the panel, on average.
    package var dirtyLines: RedrawnLines
    /// The bytes of a tap's datagrams on the radio link, for both directions together.
    public var bytesOnAir: Double
    /// The charge that a tap takes from the battery in addition to a watch at rest, in microcoulombs.
    public var charge: Double
    package var panelFloor: PanelFloor
    package var senses = SensedTimes()
    /// One sentence for each number of the profile that no document gives.
    package var assumptions: [String] = []

    /// The report as JSON, indented and with sorted keys. Times are in microseconds. Equal reports give equal bytes.
    public var json: [UInt8] { reportJSON() }
}

/// How the processor's time of a measurement was determined.
public enum ProcessorTime: String, Sendable, Codable {
    /// An emulator executed the machine code of the handler.
    case executed
    /// A table gives the instructions of each stage, and the profile gives the cycles of an instruction.
    case counted
    /// The handler is not composed of stages, so its code cannot be counted. Every time lacks it.
    case unknown = "not known"

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
    /// The mean number of lines that the watch sends between the touch and the update of the panel.
    package var update: Double
    package var removal: Double
}

/// The time to send only the changed lines. No handler on this panel can be faster.
package struct PanelFloor: Sendable, Encodable, Equatable {
    /// The time to send the lines of the update. Nil if no tap updated the panel.
    package var updated: Distribution?
    /// The time to send the lines of the removal. Nil if no tap removed a row.
    package var settled: Distribution?
}

/// The measurement of one stage of a handler.
public struct StageReport: Sendable, Encodable, Equatable {
    /// The name of the stage.
    public var name: String
    /// Whether the wearer waits for the stage (immediate) or not (deferred).
    public var placement: StagePlacement
    /// The distribution of the stage's time over the taps.
    public var time: Distribution
    /// The times with the fewest and the most cycles that the processor manual allows. Nil if no emulator executed the stage.
    package var bounds: TimeBounds<Distribution>?
    /// The stage's mean time in a tap, split into kinds.
    public var mean: TimeKinds
    /// Whether the times include the stage's instructions.
    public var instructionCount = InstructionCount.counted
    /// The cycles of all taps by function. Nil if no emulator executed the stage, or if the caller does not want them.
    package var code: CallProfile?

    var withoutCode: StageReport {
        var report = self
        report.code = nil
        return report
    }
}

extension InstructionCount {
    /// A remark on an incomplete time. Nil if the time is complete.
    package var note: String? { self == .notCounted ? "CPU not counted" : nil }

    var remark: String { note.map { " (\($0))" } ?? "" }
}

// MARK: JSON

extension Encodable where Self: Sendable {
    /// The value as JSON: indented, with sorted keys and a final line feed. Equal values give equal bytes.
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

    /// - Throws: `DecodingError` if the word is not a placement.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try container.decode(String.self) {
        case StagePlacement.immediate.word: self = .immediate
        case StagePlacement.deferred.word: self = .deferred
        case let word:
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a stage is not placed '\(word)'")
        }
    }

    /// Encodes the placement as a word.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}
