import FoundationEssentials

/// The nineteen steps and what they were about.
package struct LabReport: Sendable, Codable, Equatable {
    /// The profile's name.
    package var profile: String
    /// Items on the watch.
    package var items: Int
    /// Items in the phone's database.
    package var database: Int
    /// Taps of each measurement.
    package var taps: Int
    /// Where the randomness came from.
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
