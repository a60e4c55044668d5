import Synchronization

/// The gauge of a running watch's battery. Any thread may change it. It says only what others are told: what a weak battery
/// does to the watch is `fault battery low`.
public final class BatteryControl: Sendable {
    private let contents = Mutex(BatteryState.full)
    private let observers = Mutex<[@Sendable () -> Void]>([])

    /// A full battery.
    public init() {}

    /// What it says while the supply is sufficient.
    public var state: BatteryState { contents.withLock { $0 } }

    /// Changes it.
    public func make(_ wanted: BatteryChange) {
        change { state in
            switch wanted {
            case .charge(let percent): state = state.setting(percent: percent)
            case .charging(let charging): state.charging = charging
            }
        }
    }

    /// Sets all of it.
    func set(_ new: BatteryState) { change { $0 = new } }

    /// Calls `observer` after every change, on the thread that made it.
    package func observe(_ observer: @escaping @Sendable () -> Void) {
        observers.withLock { $0.append(observer) }
    }

    private func change(_ body: (inout BatteryState) -> Void) {
        contents.withLock { body(&$0) }
        for observer in observers.withLock({ $0 }) { observer() }
    }
}
