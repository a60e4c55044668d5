/// A remote Bluetooth device, and what a local adapter knows about it.
public struct BluetoothDevice: Hashable, Sendable {
    /// How long a device and an adapter share keys: never, until the connection ends, or beyond its end.
    public enum Trust: Hashable, Sendable {
        /// The device and the adapter share no keys.
        case stranger
        /// The device and the adapter share keys only until the connection ends.
        case paired
        /// The adapter stores the keys beyond the connection. The device may have deleted its copy since.
        case bonded
    }

    /// The state of a device's connection to an adapter, and of the search for the device's services.
    public enum Connection: Hashable, Sendable {
        case none
        /// The device is connected, but not all of its services are known yet.
        case connected
        /// The device is connected, and its services are known.
        case resolved
    }

    /// The result of the discoveries: unheard, or heard with a signal strength.
    public enum Presence: Hashable, Sendable {
        case unheard
        /// A discovery has found the device. `signalStrength` is in dBm, nil if the adapter does not report it.
        case heard(signalStrength: Int?)
    }

    /// The address of the device.
    public var peer: BluetoothPeer
    /// The name that the device reports, without control characters; nil if unknown.
    public var name: String?
    /// The result of the discoveries: unheard, or heard with a signal strength.
    public var presence: Presence
    /// How long the device and the adapter share keys.
    public var trust: Trust
    /// True if BlueZ rejects connections with the device, because the user or `tapline unpair` blocked it.
    public var isBlocked: Bool
    /// The state of the device's connection to the adapter.
    public var connection: Connection
    /// The services that the device advertises, and its GATT services as far as they are known.
    public var services: Set<BluetoothUUID>

    /// Creates a device, as a `BluetoothControl` does. The properties explain the parameters.
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

    /// Whether the adapter stores keys for the device.
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
    /// The kernel's name for the adapter, such as `hci0`.
    public var name: String
    /// The adapter's public address.
    public var address: BluetoothAddress
    /// The name that other devices see.
    public var alias: String
    /// Whether the adapter is switched on.
    public var isOn: Bool
    /// Whether other devices can start to pair with the adapter. If so, BlueZ leaves the decision to the program that called
    /// `BluetoothControl.answerPairing`.
    public var isPairable: Bool

    /// Creates an adapter, as a `BluetoothControl` does. The properties explain the parameters.
    public init(name: String, address: BluetoothAddress, alias: String, isOn: Bool, isPairable: Bool = false) {
        self.name = name
        self.address = address
        self.alias = alias
        self.isOn = isOn
        self.isPairable = isPairable
    }
}
