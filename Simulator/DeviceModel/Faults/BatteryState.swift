/// The battery's charge, and whether the watch is on a charger, as the watch reports them.
public struct BatteryState: Sendable, Equatable {
    /// The charge in percent, 0 to 100.
    public let percent: UInt8
    /// Whether the watch is on a charger.
    public var isCharging: Bool

    /// Creates a battery state. Returns nil if `percent` is not 0 to 100.
    public init?(percent: Int, isCharging: Bool = false) {
        guard (0...100).contains(percent) else { return nil }
        self.percent = UInt8(percent)
        self.isCharging = isCharging
    }

    fileprivate init(clamping percent: UInt8, isCharging: Bool) {
        self.percent = min(percent, 100)
        self.isCharging = isCharging
    }

    /// Fully charged and not on a charger.
    public static let full = BatteryState(clamping: 100, isCharging: false)
    private static let lowest: UInt8 = 1

    /// Returns the state that the watch shows. If the supply is low, the shown charge is at most 1 percent.
    package func shown(with supply: Supply) -> BatteryState {
        switch supply {
        case .sufficient: self
        case .low: BatteryState(clamping: min(percent, BatteryState.lowest), isCharging: isCharging)
        }
    }

    package var words: String { "battery \(percent) %\(isCharging ? ", charging" : "")" }
}

/// A change of the reported battery state.
public enum BatteryChange: Sendable, Equatable {
    /// Sets the charge in percent, as the script command `battery N` does. More than 100 counts as 100.
    case charge(percent: UInt8)
    /// Puts the watch on the charger or takes it off, as the script command `charging on|off` does.
    case charging(Bool)
}

/// The battery state that a running watch reports. Any thread may change it. The reported charge does not change how
/// the watch works. To simulate a weak battery, use `FaultChange.battery(.low)`.
public final class BatteryControl: Sendable {
    private let contents = ObservedValue(BatteryState.full)

    /// Creates a full battery.
    public init() {}

    /// The state that the watch reports while the supply is sufficient. While the supply is low, the watch reports at most
    /// 1 percent.
    public var state: BatteryState { contents.value }

    /// Changes the reported charge, or whether the watch is on a charger.
    public func make(_ wanted: BatteryChange) {
        contents.change { state in
            switch wanted {
            case .charge(let percent): state = BatteryState(clamping: percent, isCharging: state.isCharging)
            case .charging(let charging): state.isCharging = charging
            }
        }
    }

    func set(_ new: BatteryState) { contents.change { $0 = new } }

    package func observe(_ observer: @escaping @Sendable () -> Void) { contents.observe(observer) }
}
