/// A Bluetooth device as an adapter knows it.
public struct BluetoothDevice: Hashable, Sendable {
    /// The keys that a device and an adapter share.
    public enum Trust: Hashable, Sendable {
        /// The device and the adapter share no keys.
        case stranger
        /// The device and the adapter share keys until the connection ends.
        case paired
        /// The device and the adapter store shared keys.
        case bonded
    }

    /// Whether the device is connected to the adapter.
    public enum Connection: Hashable, Sendable {
        case none
        /// The device is connected, but not all of its services are known yet.
        case connected
        /// The device is connected, and its services are known.
        case resolved
    }

    /// Whether a discovery has found the device.
    public enum Presence: Hashable, Sendable {
        case unheard
        /// A discovery has found the device. Its signal strength is in dBm, nil if the adapter does not report it.
        case heard(signalStrength: Int?)
    }

    /// The address of the device.
    public var peer: BluetoothPeer
    /// The device's own name, nil if unknown.
    public var name: String?
    /// Whether a discovery has found the device.
    public var presence: Presence
    /// The keys that the device shares with the adapter.
    public var trust: Trust
    /// Whether the device may not connect, because the user or `tapline unpair` blocked it.
    public var isBlocked: Bool
    /// Whether the device is connected.
    public var connection: Connection
    /// The services that the device advertises or offers.
    public var services: Set<BluetoothUUID>

    /// A device as a `BluetoothControl` reports it; see the properties.
    public init(
        peer: BluetoothPeer, name: String?, presence: Presence, trust: Trust,
        isBlocked: Bool = false, connection: Connection, services: Set<BluetoothUUID>
    ) {
        self.peer = peer
        self.name = name
        self.presence = presence
        self.trust = trust
        self.isBlocked = isBlocked
        self.connection = connection
        self.services = services
    }

    /// Whether the device and the adapter both store keys.
    public var isBonded: Bool { trust == .bonded }

    package var isHeard: Bool { presence != .unheard }

    /// The signal strength in dBm; nil if it is unknown.
    package var signalStrength: Int? {
        if case .heard(let strength) = presence { strength } else { nil }
    }

    var isConnected: Bool { connection != .none }
}

/// A Bluetooth adapter of this machine.
public struct BluetoothAdapter: Hashable, Sendable {
    /// The kernel's name, such as `hci0`.
    public var name: String
    /// The adapter's public address.
    public var address: BluetoothAddress
    /// The name that other devices see.
    public var alias: String
    /// Whether the adapter is switched on.
    public var isOn: Bool
    /// Whether other devices can pair with the adapter. If so, BlueZ asks the program that answers pairings.
    public var isPairable: Bool

    /// An adapter as a `BluetoothControl` reports it; see the properties.
    public init(name: String, address: BluetoothAddress, alias: String, isOn: Bool, isPairable: Bool = false) {
        self.name = name
        self.address = address
        self.alias = alias
        self.isOn = isOn
        self.isPairable = isPairable
    }
}
