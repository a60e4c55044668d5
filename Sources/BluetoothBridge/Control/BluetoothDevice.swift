/// A device, as an adapter knows it.
public struct BluetoothDevice: Hashable, Sendable {
    /// What the two have agreed upon.
    public enum Trust: Hashable, Sendable {
        /// Nothing.
        case stranger
        /// Keys, for as long as they are connected.
        case paired
        /// Keys that are kept.
        case bonded
    }

    /// Whether there is a connection.
    public enum Connection: Hashable, Sendable {
        /// None.
        case none
        /// There is one, and what the device offers is not all known yet.
        case connected
        /// There is one, and what the device offers is known.
        case resolved
    }

    /// Its address, and the kind of it.
    public var peer: BluetoothPeer
    /// What it calls itself; nil where it has not said.
    public var name: String?
    /// How strong it was last heard, in dBm; nil where it has not been heard while somebody looked.
    public var signalStrength: Int?
    /// What it and the adapter have agreed upon.
    public var trust: Trust
    /// Whether it is connected.
    public var connection: Connection
    /// The services that it has said it has.
    public var services: Set<BluetoothUUID>

    /// A device.
    public init(
        peer: BluetoothPeer, name: String?, signalStrength: Int?, trust: Trust, connection: Connection,
        services: Set<BluetoothUUID>
    ) {
        self.peer = peer
        self.name = name
        self.signalStrength = signalStrength
        self.trust = trust
        self.connection = connection
        self.services = services
    }

    /// Whether keys are kept for it.
    public var isBonded: Bool { trust == .bonded }

    /// Whether there is a connection.
    public var isConnected: Bool { connection != .none }
}
