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
    /// Waiting while packets were in the air.
    case radio
    /// Waiting while a message waited to be sent: for the next connection event, for credits, or behind what was sent before it.
    case window
    /// Waiting for the phone, while nothing was on its way.
    case phone

    /// The kind in a few words, for a table.
    public var title: String {
        switch self {
        case .processor: "CPU"
        case .panel: "panel"
        case .flash: "flash"
        case .haptic: "haptic"
        case .radio: "radio"
        case .window: "waiting for the window"
        case .phone: "waiting for the phone"
        }
    }
}

/// A time, split into what it was spent on: means over taps, in microseconds.
public struct TimeKinds: Sendable, Codable, Equatable {
    /// Executing instructions.
    public var processor = 0.0
    /// Waiting for lines on their way to the panel.
    public var panel = 0.0
    /// Waiting for the flash chip.
    public var flash = 0.0
    /// Writing to the haptic driver.
    public var haptic = 0.0
    /// Waiting while packets were in the air.
    public var radio = 0.0
    /// Waiting while a message waited to be sent: for the next connection event, for credits, or behind what was sent before it.
    public var window = 0.0
    /// Waiting for the phone, while nothing was on its way.
    public var phone = 0.0

    /// The sum of all kinds.
    public var total: Double { processor + panel + flash + haptic + radio + window + phone }

    /// What the other end of the radio link is waited for: the way there and back, and its own work.
    var remote: Double { radio + window + phone }

    /// The time of one kind.
    public subscript(kind: TimeKind) -> Double {
        switch kind {
        case .processor: processor
        case .panel: panel
        case .flash: flash
        case .haptic: haptic
        case .radio: radio
        case .window: window
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

extension TimeKinds {
    private enum Key: String, CodingKey {
        case processor, panel, flash, haptic, radio, window, phone
    }

    /// Reads the kinds. Reports of old have no time in `window`: theirs is in `radio`.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        try self.init(
            processor: values.decode(Double.self, forKey: .processor),
            panel: values.decode(Double.self, forKey: .panel),
            flash: values.decode(Double.self, forKey: .flash),
            haptic: values.decode(Double.self, forKey: .haptic),
            radio: values.decode(Double.self, forKey: .radio),
            window: values.decodeIfPresent(Double.self, forKey: .window) ?? 0,
            phone: values.decode(Double.self, forKey: .phone))
    }
}
