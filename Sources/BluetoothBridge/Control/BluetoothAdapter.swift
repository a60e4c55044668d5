/// A Bluetooth adapter of this machine.
public struct BluetoothAdapter: Hashable, Sendable {
    /// Whether it is switched on.
    public enum Power: Hashable, Sendable {
        /// On.
        case on
        /// Off: `powerOn` switches it on.
        case off
    }

    /// The kernel's name, such as `hci0`.
    public var name: String
    /// Its public address.
    public var address: BluetoothAddress
    /// The name that other devices see.
    public var alias: String
    /// Whether it is switched on.
    public var power: Power

    /// An adapter of a simulated machine.
    public init(name: String, address: BluetoothAddress, alias: String, power: Power) {
        self.name = name
        self.address = address
        self.alias = alias
        self.power = power
    }
}
