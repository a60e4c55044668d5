/// The battery's charge, as the watch reports it.
public struct BatteryState: Sendable, Equatable {
    /// The charge in percent, 0 to 100.
    public let percent: UInt8
    /// Whether the watch is on a charger.
    public var isCharging: Bool

    /// A charge of 0 to 100 percent. Nil outside that range.
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

    /// The state that the watch shows. With a low supply, the charge is at most 1 percent.
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
    /// The script command `battery N`: the charge in percent. More than 100 counts as 100.
    case charge(percent: UInt8)
    /// The script command `charging on|off`.
    case charging(Bool)
}

/// The reported battery state of a running watch. Any thread may change it. The charge is only a number: for the effects of a
/// weak battery, use `fault battery low`.
public final class BatteryControl: Sendable {
    private let contents = ObservedValue(BatteryState.full)

    /// Creates a full battery.
    public init() {}

    /// The reported state while the supply is sufficient.
    public var state: BatteryState { contents.value }

    /// Changes the reported charge or charger.
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
