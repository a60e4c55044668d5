/// What the gauge of a watch's battery says.
public struct BatteryState: Sendable, Equatable {
    /// Whether it is on a charger.
    public enum Charging: Sendable, Equatable {
        case on
        case off
    }

    /// The charge in percent, 0 to 100.
    public let percent: UInt8
    /// Whether it is on a charger.
    public var charging: Charging

    /// A charge; nil for more than 100 percent.
    public init?(percent: Int, charging: Charging = .off) {
        guard (0...100).contains(percent) else { return nil }
        self.percent = UInt8(percent)
        self.charging = charging
    }

    private init(clamping percent: UInt8, _ charging: Charging) {
        self.percent = min(percent, 100)
        self.charging = charging
    }

    /// Full, and on no charger.
    public static let full = BatteryState(clamping: 100, .off)
    /// The most that the gauge says while `fault battery low` is on, in percent.
    package static let lowest: UInt8 = 1

    /// What the gauge says with a supply: at most 1 percent where that is low.
    package func shown(with supply: Supply) -> BatteryState {
        switch supply {
        case .sufficient: self
        case .low: BatteryState(clamping: min(percent, BatteryState.lowest), charging)
        }
    }

    /// With another charge, of at most 100 percent.
    func setting(percent: UInt8) -> BatteryState { BatteryState(clamping: percent, charging) }

    /// In words: `battery 80 %, charging`.
    package var words: String {
        switch charging {
        case .on: "battery \(percent) %, charging"
        case .off: "battery \(percent) %"
        }
    }
}

/// A change of what the gauge says.
public enum BatteryChange: Sendable, Equatable {
    /// `battery N`: the charge in percent; more than 100 counts as 100.
    case charge(percent: UInt8)
    /// `charging on|off`.
    case charging(BatteryState.Charging)
}
