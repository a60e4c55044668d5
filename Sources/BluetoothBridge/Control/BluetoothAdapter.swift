/// A Bluetooth adapter of this machine.
public struct BluetoothAdapter: Hashable, Sendable {
    /// Whether it is switched on.
    public enum Power: Hashable, Sendable {
        /// On.
        case on
        /// Off: `powerOn` switches it on.
        case off
    }

    /// Whether other devices can pair with it.
    public enum Pairing: Hashable, Sendable {
        /// They can, and the program that answers pairings is asked.
        case on
        /// It makes no bonds.
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
    /// Whether other devices can pair with it.
    public var pairing: Pairing

    /// An adapter of a simulated machine.
    public init(name: String, address: BluetoothAddress, alias: String, power: Power, pairing: Pairing = .off) {
        self.name = name
        self.address = address
        self.alias = alias
        self.power = power
        self.pairing = pairing
    }
}
