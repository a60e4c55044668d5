/// The state of bluetoothd, as far as it is known.
public enum BluetoothDaemon: Hashable, Sendable {
    /// It has not been looked for yet.
    case unknown
    /// It cannot be talked to: `.noDaemon` where it does not run, `.noBus` where the system bus is gone, `.notAllowed`.
    case absent(BluetoothError)
    /// It runs.
    case running
    /// It runs again, for the `count`-th time since this program has looked: it has forgotten everything that was
    /// registered before.
    case restarted(count: Int)
}
