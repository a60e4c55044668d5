import DeviceModel
import Emulator
import FoundationEssentials
import Watch
import WatchLink

/// The measured times and costs of taps with one handler.
public struct TapReport: Sendable, Encodable, Equatable {
    /// The version of the report's JSON format. Reports of different versions cannot be compared.
    package static let currentFormat = 2

    package var format = TapReport.currentFormat
    package var handler: String
    package var profile: String
    /// The numbers of the device profile, by their keys in the profile's file, such as `panel.bus_hertz`.
    package var profileNumbers: [String: Double]
    package var items: Int
    package var database: Int
    /// The number of measured taps.
    public var taps: Int
    package var seed: UInt64
    /// The times from the touch interrupt to each mark.
    public var marks: MarkTimes
    /// What `marks` would be with the fewest and with the most cycles that the processor manual allows. Nil if no emulator
    /// executed the handler.
    package var bounds: TimeBounds<MarkTimes>?
    /// The times of taps that each follow a rest of at least 12 s, so that the connection uses its slow parameters. Nil if no
    /// such taps were measured.
    package var atRest: MarkTimes?
    /// How the processor's time was determined.
    public var processor = ProcessorTime.counted
    /// `.counted` if the times include the handler's own code, which is its code outside the stages.
    public var ownCode = InstructionCount.counted
    /// Why the count of the handler's own code is not valid, and what to do. Nil if the count is valid, or if there is no
    /// count.
    package var ownCodeReason: String?
    /// The counted time of the handler's own code before the update of the panel, in microseconds. 0 if there is no such count.
    package var ownTime: UInt64 = 0
    /// The stages in the order in which they ran.
    public var stages: [StageReport]
    /// The processor's cycles outside the stages, by function, from before the first tap until after the last. Nil if no
    /// emulator executed the handler.
    package var aroundStages: CallProfile?
    /// The mean numbers of lines that the watch sends to the panel for a tap.
    package var dirtyLines: RedrawnLines
    /// The mean number of bytes per tap in datagrams on the radio link, for both directions together.
    public var bytesOnAir: Double
    /// The mean charge that a tap takes from the battery, in microcoulombs. It excludes what a watch at rest takes in the same
    /// time.
    public var charge: Double
    package var panelFloor: PanelFloor
    package var senses = SensedTimes()
    /// One sentence for each number of the profile that is an assumption, because no document gives it.
    package var assumptions: [String] = []

    /// The report as JSON, indented and with sorted keys. Times are in microseconds. Equal reports give equal bytes.
    public var json: [UInt8] { reportJSON() }
}

/// How the processor's time of a measurement was determined.
public enum ProcessorTime: String, Sendable, Codable {
    /// An emulator executed the machine code of the handler.
    case executed
    /// A table gives the cycles that were counted for each stage. The lab scales them to the profile's processor.
    case counted
    /// The handler is not composed of stages, and no valid count of its code exists. All times lack this code.
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
    /// The mean number of lines that the watch sends to the panel from the touch until the row is struck through.
    package var update: Double
    package var removal: Double
}

/// How long the panel takes to receive the lines that the watch sends for a tap. A handler that sends these lines cannot be
/// faster.
package struct PanelFloor: Sendable, Encodable, Equatable {
    /// The time to send the lines until the row is struck through. Nil if no tap updated the panel.
    package var updated: Distribution?
    /// The time to send the lines that remove the row. Nil if no tap removed a row.
    package var settled: Distribution?
}

/// The measured times of one stage of a handler.
public struct StageReport: Sendable, Encodable, Equatable {
    /// The name of the stage.
    public var name: String
    /// `.immediate` if the wearer waits for the stage; otherwise `.deferred`.
    public var placement: StagePlacement
    /// The distribution of the stage's time over its runs.
    public var time: Distribution
    /// What `time` would be with the fewest and with the most cycles that the processor manual allows. Nil if no emulator
    /// executed the stage.
    package var bounds: TimeBounds<Distribution>?
    /// The mean time of a run of the stage, split into kinds of work and waits.
    public var mean: TimeKinds
    /// `.counted` if the times include the time of the stage's instructions.
    public var instructionCount = InstructionCount.counted
    /// The stage's cycles by function, summed over all taps. Nil if no emulator executed the stage. Always nil in `StepReport`
    /// and `StageTrial`.
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

    /// Decodes the word `immediate` or `deferred`.
    ///
    /// - Throws: `DecodingError` if the value is neither of these words.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        switch try container.decode(String.self) {
        case StagePlacement.immediate.word: self = .immediate
        case StagePlacement.deferred.word: self = .deferred
        case let word:
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "a stage is not placed '\(word)'")
        }
    }

    /// Encodes the placement as the word `immediate` or `deferred`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(word)
    }
}
