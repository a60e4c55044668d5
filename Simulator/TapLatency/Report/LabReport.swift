import FoundationEssentials

/// The nineteen steps and what they were about.
public struct LabReport: Sendable, Codable, Equatable {
    /// The profile's name.
    public var profile: String
    /// Items on the watch.
    public var items: Int
    /// Items in the phone's database.
    public var database: Int
    /// Taps of each measurement.
    public var taps: Int
    /// Where the randomness came from.
    public var seed: UInt64
    /// The steps that were taken, in order.
    public var steps: [StepReport]
    /// The handler as it had grown.
    public var legacy: TapReport
    /// The handler that the steps lead to.
    public var shipping: TapReport
    /// What the panel alone takes for shipping's lines.
    public var panelFloor: PanelFloor
    /// The firmware image beside the model, where it was measured.
    public var firmware: FirmwareComparison?
    /// How shipping's times depend on what should not matter to them.
    public var curve: Curve

    /// A report of these parts.
    public init(
        profile: String, items: Int, database: Int, taps: Int, seed: UInt64, steps: [StepReport], legacy: TapReport,
        shipping: TapReport, panelFloor: PanelFloor, firmware: FirmwareComparison?, curve: Curve
    ) {
        self.profile = profile
        self.items = items
        self.database = database
        self.taps = taps
        self.seed = seed
        self.steps = steps
        self.legacy = legacy
        self.shipping = shipping
        self.panelFloor = panelFloor
        self.firmware = firmware
        self.curve = curve
    }

    /// How many times faster shipping's median tap-to-update is than legacy's; nil where one of them has none.
    public var speedUp: Double? {
        guard let slow = legacy.marks.updated?.p50, let fast = shipping.marks.updated?.p50, fast > 0 else { return nil }
        return Double(slow) / Double(fast)
    }
}

extension Encodable where Self: Sendable {
    /// The report as JSON: indented, keys in alphabetical order, a new line at the end. The same report gives the same bytes.
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

extension LabReport {
    /// The report as JSON, times in microseconds: indented, keys in alphabetical order. The same report gives the same bytes.
    public var json: [UInt8] { reportJSON() }
}

extension TapReport {
    /// The report as JSON, times in microseconds: indented, keys in alphabetical order. The same report gives the same bytes.
    public var json: [UInt8] { reportJSON() }
}
