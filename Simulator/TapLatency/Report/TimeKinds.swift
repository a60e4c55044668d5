import DeviceModel
import WatchLink

/// What a time was spent on.
public enum TimeKind: String, Sendable, CaseIterable {
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
public struct TimeKinds: Sendable, Encodable, Equatable {
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
    /// Waiting while a message waited to be sent.
    public var window = 0.0
    /// Waiting for the phone, while nothing was on its way.
    public var phone = 0.0

    /// The sum of all kinds.
    public var total: Double { TimeKind.allCases.reduce(0) { $0 + self[$1] } }

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

    /// The kinds that take at least this share of the time, the largest first.
    package func kinds(from share: Double) -> [TimeKind] {
        TimeKind.allCases.filter { total > 0 && self[$0] >= share * total }.sorted { self[$0] > self[$1] }
    }

    /// The kind that took most, and its share, 0 to 1; nil if no time was spent.
    public var largest: (kind: TimeKind, share: Double)? {
        kinds(from: 0).first.map { ($0, self[$0] / total) }
    }
}

extension TimeKinds {
    /// The means of a sum over `count` taps.
    init(_ sum: TimeSpent, over count: Int) {
        func mean(_ time: Microseconds) -> Double { Double(time.count) / Double(count) }
        self.init(
            processor: mean(sum.processor), panel: mean(sum.panel), flash: mean(sum.flash), haptic: mean(sum.haptic),
            radio: mean(sum.radio), window: mean(sum.window),
            phone: max(0, mean(sum.idle) - mean(sum.radio) - mean(sum.window)))
    }
}
