/// What a time was spent on.
public enum TimeKind: String, Sendable, CaseIterable, Codable {
    /// Executing instructions.
    case processor
    /// Waiting for lines on their way to the panel.
    case panel
    /// Waiting for the flash chip.
    case flash
    /// Writing to the haptic driver.
    case haptic
    /// Waiting while something was on its way over the radio link.
    case radio
    /// Waiting while nothing was: for the phone, or for its answer to be worth sending.
    case phone

    /// The kind in a few words, for a table.
    public var title: String {
        switch self {
        case .processor: "CPU"
        case .panel: "panel"
        case .flash: "flash"
        case .haptic: "haptic"
        case .radio: "radio"
        case .phone: "waiting for the phone"
        }
    }
}

/// A time, split into what it was spent on: means over taps, in microseconds.
public struct TimeKinds: Sendable, Codable, Equatable {
    /// Executing instructions.
    public var processor: Double
    /// Waiting for lines on their way to the panel.
    public var panel: Double
    /// Waiting for the flash chip.
    public var flash: Double
    /// Writing to the haptic driver.
    public var haptic: Double
    /// Waiting while something was on its way over the radio link.
    public var radio: Double
    /// Waiting while nothing was: for the phone.
    public var phone: Double

    /// A time of these parts.
    public init(
        processor: Double = 0, panel: Double = 0, flash: Double = 0, haptic: Double = 0, radio: Double = 0,
        phone: Double = 0
    ) {
        self.processor = processor
        self.panel = panel
        self.flash = flash
        self.haptic = haptic
        self.radio = radio
        self.phone = phone
    }

    /// All of it.
    public var total: Double { processor + panel + flash + haptic + radio + phone }

    /// One part.
    public subscript(kind: TimeKind) -> Double {
        switch kind {
        case .processor: processor
        case .panel: panel
        case .flash: flash
        case .haptic: haptic
        case .radio: radio
        case .phone: phone
        }
    }

    /// The kind that took most, and its share, 0 to 1; nil where no time was spent.
    public var largest: (kind: TimeKind, share: Double)? {
        guard total > 0 else { return nil }
        var largest = TimeKind.processor
        for kind in TimeKind.allCases where self[kind] > self[largest] { largest = kind }
        return (largest, self[largest] / total)
    }
}
