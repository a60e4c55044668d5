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

    /// Whether it has been heard while somebody looked.
    public enum Presence: Hashable, Sendable {
        /// Not lately.
        case unheard
        /// This strong, in dBm; nil where the adapter does not tell.
        case heard(signalStrength: Int?)
    }

    /// Its address, and the kind of it.
    public var peer: BluetoothPeer
    /// What it calls itself; nil where it has not said.
    public var name: String?
    /// Whether it has been heard while somebody looked.
    public var presence: Presence
    /// What it and the adapter have agreed upon.
    public var trust: Trust
    /// Whether it is connected.
    public var connection: Connection
    /// The services that it has said it has.
    public var services: Set<BluetoothUUID>

    /// A device.
    public init(
        peer: BluetoothPeer, name: String?, presence: Presence, trust: Trust, connection: Connection,
        services: Set<BluetoothUUID>
    ) {
        self.peer = peer
        self.name = name
        self.presence = presence
        self.trust = trust
        self.connection = connection
        self.services = services
    }

    /// Whether keys are kept for it.
    public var isBonded: Bool { trust == .bonded }

    /// Whether it has been heard while somebody looked.
    public var isHeard: Bool { presence != .unheard }

    /// How strong it was heard, in dBm; nil where that is not known.
    public var signalStrength: Int? {
        switch presence {
        case .unheard: nil
        case .heard(let strength): strength
        }
    }

    /// Whether there is a connection.
    public var isConnected: Bool { connection != .none }
}
