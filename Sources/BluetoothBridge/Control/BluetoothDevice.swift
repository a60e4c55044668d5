/// A device, as an adapter knows it.
public struct BluetoothDevice: Hashable, Sendable {
    /// The keys that a device and an adapter share.
    public enum Trust: Hashable, Sendable {
        /// No keys.
        case stranger
        /// Keys for the duration of the connection.
        case paired
        /// Keys that both store.
        case bonded
    }

    /// Whether the machine lets it connect.
    public enum Admission: Hashable, Sendable {
        /// As its keys allow.
        case admitted
        /// A person, or `tapline unpair`, has shut it out.
        case blocked
    }

    /// Whether there is a connection.
    public enum Connection: Hashable, Sendable {
        /// There is no connection.
        case none
        /// Connected; the services of the device are not all known yet.
        case connected
        /// Connected, and its services are known.
        case resolved
    }

    /// Whether a discovery has found it.
    public enum Presence: Hashable, Sendable {
        /// Not lately.
        case unheard
        /// Found, with its signal strength in dBm; nil where the adapter does not report it.
        case heard(signalStrength: Int?)
    }

    /// Its address.
    public var peer: BluetoothPeer
    /// Its own name; nil where it is not known.
    public var name: String?
    /// Whether a discovery has found it.
    public var presence: Presence
    /// The keys that it shares with the adapter.
    public var trust: Trust
    /// Whether it may connect.
    public var admission: Admission
    /// Whether it is connected.
    public var connection: Connection
    /// The services that it advertises or offers.
    public var services: Set<BluetoothUUID>

    /// A device as a `BluetoothControl` reports it; see the properties.
    public init(
        peer: BluetoothPeer, name: String?, presence: Presence, trust: Trust,
        admission: Admission = .admitted, connection: Connection, services: Set<BluetoothUUID>
    ) {
        self.peer = peer
        self.name = name
        self.presence = presence
        self.trust = trust
        self.admission = admission
        self.connection = connection
        self.services = services
    }

    /// Whether both store keys.
    public var isBonded: Bool { trust == .bonded }

    package var isHeard: Bool { presence != .unheard }

    /// In dBm; nil where it is not known.
    package var signalStrength: Int? {
        switch presence {
        case .unheard: nil
        case .heard(let strength): strength
        }
    }

    var isConnected: Bool { connection != .none }
}
