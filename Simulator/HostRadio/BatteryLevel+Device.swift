import BluetoothBridge
import DeviceModel

extension BatteryLevel {
    /// The level that the gauge of a simulated watch says, 100 percent where it has none. It follows the gauge for as long as
    /// the watch exists.
    public convenience init(of watch: any WatchDevice) {
        self.init(watch.shownBattery?.percent ?? 100)
        let (battery, faults) = (watch.battery, watch.faults)
        guard let battery else { return }
        let follow: @Sendable () -> Void = { [weak self] in
            self?.set(battery.state.shown(with: faults?.faults.supply ?? .sufficient).percent)
        }
        battery.observe(follow)
        faults?.observe(follow)
    }
}
