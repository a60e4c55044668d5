extension WatchDevice {
    /// What the gauge says; nil where there is none.
    package var shownBattery: BatteryState? {
        battery?.state.shown(with: faults?.faults.supply ?? .sufficient)
    }
}
