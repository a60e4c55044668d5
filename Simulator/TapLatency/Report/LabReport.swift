import FoundationEssentials

/// The nineteen steps and what they were about.
package struct LabReport: Sendable, Codable, Equatable {
    package var profile: String
    /// Items on the watch.
    package var items: Int
    /// Items in the phone's database.
    package var database: Int
    /// Taps of each measurement.
    package var taps: Int
    package var seed: UInt64
    /// The steps that were taken, in order.
    package var steps: [StepReport]
    /// The handler as it had grown.
    package var legacy: TapReport
    /// The handler that the steps lead to.
    package var shipping: TapReport
    /// What the panel alone takes for shipping's lines.
    package var panelFloor: PanelFloor
    /// The firmware image beside the model, where it was measured.
    package var firmware: FirmwareComparison?
    /// How shipping's times depend on what should not matter to them.
    package var curve: Curve
    /// Legacy's times by what they follow from; nil where not all steps were taken.
    package var legacyCauses: [LegacyPoint]?

    /// How many times faster shipping's median tap-to-update is than legacy's; nil where one of them has none.
    package var speedUp: Double? {
        guard let slow = legacy.marks.updated?.p50, let fast = shipping.marks.updated?.p50, fast > 0 else { return nil }
        return Double(slow) / Double(fast)
    }
}

extension Encodable where Self: Sendable {
    /// The report as JSON: indented, keys in alphabetical order, a new line at the end. The same report gives the same
    /// bytes.
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
    /// The report as JSON, times in microseconds: indented, keys in alphabetical order. The same report gives the same
    /// bytes.
    package var json: [UInt8] { reportJSON() }
}

extension TapReport {
    /// The report as JSON, times in microseconds: indented, keys in alphabetical order. The same report gives the same
    /// bytes.
    public var json: [UInt8] { reportJSON() }
}

/// What the firmware image takes, beside what the model says.
package struct FirmwareComparison: Sendable, Codable, Equatable {
    /// The processor's time of every stage, in the handler's order.
    package var stages: [FirmwareStage]

    /// By how much all stages together may differ. The image for the lab, on which the model was counted, asks the host for what
    /// the firmware's board does itself, such as programming the flash chip: some 600 of 4,800 instructions.
    package static let tolerance = 0.2

    /// By how much all stages together take more than the model says, as a share of that: 0.05 for 5 %. A stage by itself is
    /// further off where it does little but ask its board for something: the image that the model was counted on has another.
    package var difference: Double {
        FirmwareStage(
            name: "together", modelled: stages.reduce(0) { $0 + $1.modelled },
            measured: stages.reduce(0) { $0 + $1.measured }
        ).difference
    }
}

/// The processor's time of one stage, in microseconds.
package struct FirmwareStage: Sendable, Codable, Equatable {
    package var name: String
    /// What the model says.
    package var modelled: Double
    /// What the image took in the emulator.
    package var measured: Double

    /// By how much the measured time is above the modelled one, as a share of it; 0 where both are 0.
    package var difference: Double {
        if modelled == 0 { return measured == 0 ? 0 : .infinity }
        return (measured - modelled) / modelled
    }
}

/// Shipping's times at one length of the list and one share of lost packets.
package struct CurvePoint: Sendable, Codable, Equatable {
    /// Items on the watch.
    package var items: Int
    /// The share of packets that were lost, 0 to 1.
    package var loss: Double
    /// Tap-to-update.
    package var updated: Distribution
    /// Until the row is gone.
    package var settled: Distribution
}

/// How shipping's times depend on what should not matter to them. The row at the top is tapped: every row below it
/// moves.
package struct Curve: Sendable, Codable, Equatable {
    /// At 8, 32 and 128 items, without losses.
    package var items: [CurvePoint]
    /// At 0 to 100 % loss, with the items of the report.
    package var loss: [CurvePoint]
}
