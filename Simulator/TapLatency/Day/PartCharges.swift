import DeviceModel

/// What takes charge from the battery.
package enum ChargedPart: String, Sendable, CaseIterable {
    case sleep, processor, panel, flash, haptic, radioEvents, radioPackets

    /// The part in a few words, for a table.
    package var title: String {
        switch self {
        case .sleep: "asleep"
        case .processor: "processor"
        case .panel: "panel"
        case .flash: "flash"
        case .haptic: "haptic"
        case .radioEvents: "radio, events"
        case .radioPackets: "radio, packets"
        }
    }
}

/// Charge by the part that takes it, in microampere-hours: what something takes more than rest may be a little less than nothing.
package struct PartCharges: Sendable, Codable, Equatable {
    /// What flows all the time: the processor asleep, the panel with a still picture, the other chips in standby.
    package var sleep = 0.0
    /// Executing instructions.
    package var processor = 0.0
    /// Lines sent to the panel.
    package var panel = 0.0
    /// Programs and erases of the flash chip.
    package var flash = 0.0
    package var haptic = 0.0
    /// Connection events that the watch listens in, whatever they carry.
    package var radioEvents = 0.0
    /// The bytes in them.
    package var radioPackets = 0.0

    package var total: Double { ChargedPart.allCases.reduce(0) { $0 + self[$1] } }

    /// The charge of one part.
    package subscript(part: ChargedPart) -> Double {
        get { self[keyPath: PartCharges.path(to: part)] }
        set { self[keyPath: PartCharges.path(to: part)] = newValue }
    }

    private static func path(to part: ChargedPart) -> WritableKeyPath<PartCharges, Double> {
        switch part {
        case .sleep: \.sleep
        case .processor: \.processor
        case .panel: \.panel
        case .flash: \.flash
        case .haptic: \.haptic
        case .radioEvents: \.radioEvents
        case .radioPackets: \.radioPackets
        }
    }

    /// Each part of the one with that of the other.
    func merged(with other: PartCharges, _ merge: (Double, Double) -> Double) -> PartCharges {
        var all = self
        for part in ChargedPart.allCases { all[part] = merge(self[part], other[part]) }
        return all
    }

    /// `factor` times as much.
    func times(_ factor: Double) -> PartCharges { merged(with: self) { own, _ in own * factor } }
}

extension PartCharges {
    init(_ use: EnergyUse) {
        func hours(_ charge: Charge) -> Double { charge.milliampereHours * 1_000 }
        self.init(
            sleep: hours(use.sleep), processor: hours(use.processor), panel: hours(use.panel), flash: hours(use.flash),
            haptic: hours(use.haptic), radioEvents: hours(use.radioEvents), radioPackets: hours(use.radioPackets))
    }
}
