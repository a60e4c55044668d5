import DeviceModel
import Emulator
import FoundationEssentials
import Watch
import WatchLink

/// One handler, measured.
public struct TapReport: Sendable, Encodable, Equatable {
    /// Of the report. Reports of different formats cannot be compared.
    package static let currentFormat = 2

    package var format = TapReport.currentFormat
    package var handler: String
    package var profile: String
    /// By the keys that they have in the profile's file.
    package var profileNumbers: [String: Double]
    /// On the watch.
    package var items: Int
    /// Items on the phone.
    package var database: Int
    /// How many taps were measured.
    public var taps: Int
    package var seed: UInt64
    /// The time to each mark.
    public var marks: MarkTimes
    /// With the fewest and the most cycles that the manual allows; nil if the machine code was not executed.
    package var bounds: TimeBounds<MarkTimes>?
    /// Of a few taps on a connection in its slow tempo; nil if they were not measured.
    package var atRest: MarkTimes?
    /// Where the processor's time comes from.
    public var processor = ProcessorTime.counted
    /// Whether the times have what the handler computes in none of its stages.
    public var ownCode = InstructionCount.counted
    /// Why they lack it; nil if they have it, or if there is no count.
    package var ownCodeReason: String?
    /// The processor's time around the stages before the update, in microseconds; 0 if that is not known.
    package var ownTime: UInt64 = 0
    /// The stages in the order in which they ran.
    public var stages: [StageReport]
    /// What was spent outside of stages over all taps and the time between them; nil if the machine code was not executed.
    package var aroundStages: CallProfile?
    /// Lines that the mean tap sends to the panel.
    package var dirtyLines: RedrawnLines
    /// Bytes of datagrams that a tap sends over the radio link, in both directions together.
    public var bytesOnAir: Double
    /// Microcoulombs that a tap takes from the battery, beyond what the watch takes at rest.
    public var charge: Double
    package var panelFloor: PanelFloor
    package var senses = SensedTimes()
    /// Numbers of the profile that no document supports, a sentence each.
    package var assumptions: [String] = []

    /// The report as JSON, times in microseconds: indented, keys in alphabetical order. The same report gives the same bytes.
    public var json: [UInt8] { reportJSON() }
}

/// Where the processor's time of a measurement comes from.
public enum ProcessorTime: String, Sendable, Codable {
    /// The machine code of the handler was executed.
    case executed
    /// A table says what each stage executes, and the profile how many cycles an instruction takes.
    case counted
    /// The handler is not composed of stages, so its code cannot be counted. Every time lacks it.
    case unknown = "not known"

    /// In a few words.
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
    /// For the struck row, and whatever else the immediate stages have drawn.
    package var update: Double
    /// As the row goes.
    package var removal: Double
}

/// What sending the changed lines takes by itself: no handler on this panel is faster.
package struct PanelFloor: Sendable, Encodable, Equatable {
    /// The lines of the struck row; nil if no tap updated the panel.
    package var updated: Distribution?
    /// The lines that change as the row goes; nil if no tap removed one.
    package var settled: Distribution?
}

/// One stage of a handler, as it was measured.
public struct StageReport: Sendable, Encodable, Equatable {
    /// The stage's own name.
    public var name: String
    /// Whether the wearer waits for it.
    public var placement: StagePlacement
    /// What it took, over the taps.
    public var time: Distribution
    /// With the fewest and the most cycles that the manual allows; nil if the machine code was not executed.
    package var bounds: TimeBounds<Distribution>?
    /// What the mean tap spent in it, split into kinds.
    public var mean: TimeKinds
    /// Whether the times have the instructions that the stage executes.
    public var instructionCount = InstructionCount.counted
    /// Over all taps; nil if the machine code was not executed, or the caller asks for none.
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

    /// The note in a sentence, behind the time.
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

    /// - Throws: if it is neither word.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try container.decode(String.self) {
        case StagePlacement.immediate.word: self = .immediate
        case StagePlacement.deferred.word: self = .deferred
        case let word:
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a stage is not placed '\(word)'")
        }
    }

    /// Writes its word.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}
