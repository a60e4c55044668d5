import DeviceModel

/// One handler, measured.
public struct TapReport: Sendable, Equatable {
    /// The handler's name.
    public var handler: String
    /// The profile's name.
    public var profile: String
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
    /// The stages in the order in which they ran.
    public var stages: [StageReport]
    /// Lines that a tap sends to the panel.
    public var dirtyLines: RedrawnLines
    /// Bytes of datagrams that a tap sends over the radio link, in both directions together.
    public var bytesOnAir: Double
    /// Microcoulombs that a tap takes from the battery, beyond what the watch takes at rest.
    public var charge: Double
    /// What the panel alone takes.
    public var panelFloor: PanelFloor
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
        case handler, profile, items, database, taps, seed, stages, dirtyLines, bytesOnAir, charge, panelFloor
    }

    /// Reads a report.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        try self.init(
            handler: values.decode(String.self, forKey: .handler),
            profile: values.decode(String.self, forKey: .profile),
            items: values.decode(Int.self, forKey: .items),
            database: values.decode(Int.self, forKey: .database),
            taps: values.decode(Int.self, forKey: .taps),
            seed: values.decode(UInt64.self, forKey: .seed),
            marks: MarkTimes(from: decoder),
            stages: values.decode([StageReport].self, forKey: .stages),
            dirtyLines: values.decode(RedrawnLines.self, forKey: .dirtyLines),
            bytesOnAir: values.decode(Double.self, forKey: .bytesOnAir),
            charge: values.decode(Double.self, forKey: .charge),
            panelFloor: values.decode(PanelFloor.self, forKey: .panelFloor))
    }

    /// Writes the report.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: Key.self)
        try values.encode(handler, forKey: .handler)
        try values.encode(profile, forKey: .profile)
        try values.encode(items, forKey: .items)
        try values.encode(database, forKey: .database)
        try values.encode(taps, forKey: .taps)
        try values.encode(seed, forKey: .seed)
        try values.encode(stages, forKey: .stages)
        try values.encode(dirtyLines, forKey: .dirtyLines)
        try values.encode(bytesOnAir, forKey: .bytesOnAir)
        try values.encode(charge, forKey: .charge)
        try values.encode(panelFloor, forKey: .panelFloor)
        try marks.encode(to: encoder)
    }
}

/// Where a stage is placed in a handler.
public enum StagePlacement: String, Sendable, Codable {
    /// In the handler itself: the panel is updated after it.
    case immediate
    /// After the panel is updated.
    case deferred
}

/// One stage of a handler, as it was measured.
public struct StageReport: Sendable, Codable, Equatable {
    /// The stage's own name.
    public var name: String
    /// Whether the wearer waits for it.
    public var placement: StagePlacement
    /// What it took, over the taps.
    public var time: Distribution
    /// What the mean tap spent in it, split into kinds.
    public var mean: TimeKinds
    /// Whether the times have the instructions that the stage executes.
    public var instructionCount = InstructionCount.counted
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
