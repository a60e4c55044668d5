import DeviceModel
import MachineWatch
import Watch

/// One handler, measured.
public struct TapReport: Sendable, Equatable {
    /// The form of the report that this version writes; another one cannot be compared with it.
    package static let currentFormat = 1

    /// The form of the report.
    package var format = TapReport.currentFormat
    /// The handler's name.
    public var handler: String
    /// The profile's name.
    public var profile: String
    /// The profile's numbers, by the keys that they have in its file.
    public var profileNumbers: [String: Double]
    /// Items on the watch.
    public var items: Int
    /// Items in the phone's database.
    public var database: Int
    /// How many taps were measured.
    public var taps: Int
    /// Where the randomness came from.
    public var seed: UInt64
    /// The time to each mark.
    public var marks: MarkTimes
    /// The same with the fewest and with the most cycles that the manual of the processor's core allows; nil where the machine code
    /// was not executed.
    public var bounds: TimeBounds<MarkTimes>?
    /// The time to each mark of a few taps that are so far apart that the connection is in its slow tempo; nil where nobody asks.
    public var atRest: MarkTimes?
    /// Where the processor's time comes from.
    public var processor = ProcessorTime.counted
    /// Whether the times have what the handler computes in none of its stages.
    public var ownCode = InstructionCount.counted
    /// Why they lack it; nil where they do not, and where nobody has counted it.
    package var ownCodeReason: String?
    /// The processor's time, in microseconds, that the handler takes around its stages before the update; 0 where that is not known.
    package var ownTime: UInt64 = 0
    /// The stages in the order in which they ran.
    public var stages: [StageReport]
    /// What was spent in none of the stages, function by function, over all taps and the time between them; nil where the stages
    /// have no functions either.
    package var aroundStages: CallProfile?
    /// Lines that a tap sends to the panel.
    public var dirtyLines: RedrawnLines
    /// Bytes of datagrams that a tap sends over the radio link, in both directions together.
    public var bytesOnAir: Double
    /// Microcoulombs that a tap takes from the battery, beyond what the watch takes at rest.
    public var charge: Double
    /// What the panel alone takes.
    public var panelFloor: PanelFloor
    /// What the wearer's finger and eye add.
    public var senses = SensedTimes()
    /// Numbers of the profile that no document supports, a sentence each.
    public var assumptions: [String] = []
}

/// Lines that the mean tap sends to the panel.
public struct RedrawnLines: Sendable, Codable, Equatable {
    /// Those of the update: the struck row, and whatever else the immediate stages have drawn.
    public var update: Double
    /// Those sent as the row goes.
    public var removal: Double
}

/// As JSON, the marks stand beside the rest: `report.updated.p50`.
extension TapReport: Codable {
    private enum Key: String, CodingKey {
        case format, handler, profile, profileNumbers, items, database, taps, seed, bounds, atRest, processor, ownCode,
            ownCodeReason, ownTime, stages,
            aroundStages, dirtyLines, bytesOnAir, charge, panelFloor, senses, assumptions
    }

    /// Reads a report.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        try self.init(
            format: values.decode(Int.self, forKey: .format),
            handler: values.decode(String.self, forKey: .handler),
            profile: values.decode(String.self, forKey: .profile),
            profileNumbers: values.decode([String: Double].self, forKey: .profileNumbers),
            items: values.decode(Int.self, forKey: .items),
            database: values.decode(Int.self, forKey: .database),
            taps: values.decode(Int.self, forKey: .taps),
            seed: values.decode(UInt64.self, forKey: .seed),
            marks: MarkTimes(from: decoder),
            bounds: values.decodeIfPresent(TimeBounds<MarkTimes>.self, forKey: .bounds),
            atRest: values.decodeIfPresent(MarkTimes.self, forKey: .atRest),
            processor: values.decode(ProcessorTime.self, forKey: .processor),
            ownCode: values.decodeIfPresent(InstructionCount.self, forKey: .ownCode) ?? .counted,
            ownCodeReason: values.decodeIfPresent(String.self, forKey: .ownCodeReason),
            ownTime: values.decodeIfPresent(UInt64.self, forKey: .ownTime) ?? 0,
            stages: values.decode([StageReport].self, forKey: .stages),
            aroundStages: values.decodeIfPresent(CallProfile.self, forKey: .aroundStages),
            dirtyLines: values.decode(RedrawnLines.self, forKey: .dirtyLines),
            bytesOnAir: values.decode(Double.self, forKey: .bytesOnAir),
            charge: values.decode(Double.self, forKey: .charge),
            panelFloor: values.decode(PanelFloor.self, forKey: .panelFloor),
            senses: values.decode(SensedTimes.self, forKey: .senses),
            assumptions: values.decode([String].self, forKey: .assumptions))
    }

    /// Writes the report.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(format, forKey: .format)
        try values.encode(handler, forKey: .handler)
        try values.encode(profile, forKey: .profile)
        try values.encode(profileNumbers, forKey: .profileNumbers)
        try values.encode(items, forKey: .items)
        try values.encode(database, forKey: .database)
        try values.encode(taps, forKey: .taps)
        try values.encode(seed, forKey: .seed)
        try values.encodeIfPresent(bounds, forKey: .bounds)
        try values.encodeIfPresent(atRest, forKey: .atRest)
        try values.encode(processor, forKey: .processor)
        try values.encode(ownCode, forKey: .ownCode)
        try values.encodeIfPresent(ownCodeReason, forKey: .ownCodeReason)
        try values.encode(ownTime, forKey: .ownTime)
        try values.encode(stages, forKey: .stages)
        try values.encodeIfPresent(aroundStages, forKey: .aroundStages)
        try values.encode(dirtyLines, forKey: .dirtyLines)
        try values.encode(bytesOnAir, forKey: .bytesOnAir)
        try values.encode(charge, forKey: .charge)
        try values.encode(panelFloor, forKey: .panelFloor)
        try values.encode(senses, forKey: .senses)
        try values.encode(assumptions, forKey: .assumptions)
        try marks.encode(to: encoder)
    }
}

/// One stage of a handler, as it was measured.
public struct StageReport: Sendable, Equatable {
    /// The stage's own name.
    public var name: String
    /// Whether the wearer waits for it.
    public var placement: StagePlacement
    /// What it took, over the taps.
    public var time: Distribution
    /// The same with the fewest and with the most cycles that the manual of the processor's core allows; nil where the machine code
    /// was not executed.
    public var bounds: TimeBounds<Distribution>?
    /// What the mean tap spent in it, split into kinds.
    public var mean: TimeKinds
    /// Whether the times have the instructions that the stage executes.
    public var instructionCount = InstructionCount.counted
    /// What it has spent, function by function, over all taps; nil where its machine code was not executed, and where nobody asks.
    package var functions: CallProfile?
}

extension StageReport {
    /// The same, without its functions.
    var withoutFunctions: StageReport {
        var report = self
        report.functions = nil
        return report
    }
}

/// As JSON, the functions and the calls stand beside the rest: `stage.functions[0].name`.
extension StageReport: Codable {
    private enum Key: String, CodingKey {
        case name, placement, time, bounds, mean, instructionCount, functions
    }

    /// Reads a stage.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        try self.init(
            name: values.decode(String.self, forKey: .name),
            placement: values.decode(StagePlacement.self, forKey: .placement),
            time: values.decode(Distribution.self, forKey: .time),
            bounds: values.decodeIfPresent(TimeBounds<Distribution>.self, forKey: .bounds),
            mean: values.decode(TimeKinds.self, forKey: .mean),
            instructionCount: values.decode(InstructionCount.self, forKey: .instructionCount),
            functions: values.contains(.functions) ? CallProfile(from: decoder) : nil)
    }

    /// Writes the stage.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(name, forKey: .name)
        try values.encode(placement, forKey: .placement)
        try values.encode(time, forKey: .time)
        try values.encodeIfPresent(bounds, forKey: .bounds)
        try values.encode(mean, forKey: .mean)
        try values.encode(instructionCount, forKey: .instructionCount)
        try functions?.encode(to: encoder)
    }
}

extension InstructionCount {
    /// A note for wherever the stage's time is shown; nil where the time is complete.
    package var note: String? {
        switch self {
        case .counted: nil
        case .notCounted: "CPU not counted"
        }
    }

    /// The note behind a stage's time in a sentence.
    var remark: String { note.map { " (\($0))" } ?? "" }
}

/// Two figures of the panel's own transfer time, in microseconds.
public struct FloorTimes: Sendable, Codable, Equatable {
    /// The time that half of the taps stay within.
    public var p50: UInt64
    /// The time that 99 % stay within.
    public var p99: UInt64
}

/// What sending a tap's dirty lines takes by itself: no handler on this panel is faster.
public struct PanelFloor: Sendable, Codable, Equatable {
    /// The lines of the struck row; nil where no tap updated the panel.
    public var updated: FloorTimes?
    /// The lines that change as the row goes; nil where no tap removed one.
    public var settled: FloorTimes?
}
