import WatchLink
import Wormhole

/// An L2CAP LE connection-oriented channel of security level 4.
///
/// Datagrams arrive in order unless the kernel's receive buffer overflows. After an overflow, if the peer continues to send
/// while this side reads, Linux (6.1.192, measured) delivers newer datagrams before older ones. No datagram is lost. The buffer
/// is as large as the system allows, up to 1 MiB. It held 17 datagrams of 4,096 bytes, or 218 of 300 bytes (measured). A peer
/// that follows the link protocol does not fill it, because it sends only about ten datagrams without an acknowledgement.
package struct L2CAPChannel: Sendable {
    /// The default maximum size of a received datagram, in bytes. The kernel gives the peer as many credits as a datagram of
    /// the maximum size needs. With a lower maximum, the peer would have to wait for credits.
    package static let usualLargestArriving = 4_096

    package let device: BluetoothPeer
    private let adapter: BluetoothAddress
    package let security: ChannelSecurity
    package let largestArriving: Int
    /// The socket of `transport`, for a caller that polls the socket on its own thread.
    package let socket: DatagramSocket
    package let transport: any DatagramTransport

    /// Makes a channel of a connected socket. Throws `.insecure`; `.tooNarrow` if either side accepts only datagrams shorter
    /// than the longest control frame; `.ended` if the channel has already ended; `.system`. After an error, the caller closes
    /// the socket.
    init(
        _ socket: DatagramSocket, to device: BluetoothPeer, over adapter: BluetoothAddress
    ) throws(BluetoothError) {
        let (security, sizes) = try socket.withOpenDescriptor { number throws(BluetoothError) in
            try KernelCalls.widenReceiveBuffer(of: number)
            return (try KernelCalls.security(of: number), try KernelCalls.largestDatagrams(of: number))
        }
        try security.demandSufficient(of: device.address)
        guard min(sizes.arriving, sizes.leaving) >= LinkLimits.smallestSDU else {
            throw .tooNarrow(device.address, bytes: min(sizes.arriving, sizes.leaving))
        }
        self.device = device
        self.adapter = adapter
        self.security = security
        self.socket = socket
        largestArriving = sizes.arriving
        transport = SocketTransport(
            socket, from: .bondedDevice(address: device.description), largestDatagram: sizes.leaving,
            largestArriving: sizes.arriving)
    }

    /// Requests the connection parameters of `priority`, without waiting for their effect. This needs CAP_NET_RAW, or root.
    ///
    /// If the result is `.notAllowed`, the link keeps the kernel's parameters. The kernel takes them from the first of these
    /// that exists:
    /// - the peripheral's last request, which bluetoothd stores (`[ConnectionParameters]` in
    ///   /var/lib/bluetooth/ADAPTER/DEVICE/info)
    /// - `[LE]` in /etc/bluetooth/main.conf (MinConnectionInterval, MaxConnectionInterval, ConnectionLatency)
    /// - the kernel's default: 30 to 50 ms without latency
    ///
    /// - Throws: `.ended` if the channel has ended; `.noAdapter`; `.system`.
    package func request(_ priority: ConnectionPriority) throws(BluetoothError) -> PriorityRequestOutcome {
        let handle = try socket.withOpenDescriptor { number throws(BluetoothError) in
            try KernelCalls.connectionHandle(of: number)
        }
        let failure = KernelCalls.update(connection: handle, of: try LocalAdapter.at(adapter), to: priority.parameters)
        switch failure {
        case nil: return .requested
        case .notPermitted, .permissionDenied: return .notAllowed
        case let reason?: throw .system(call: "HCI_LE_Connection_Update", reason)
        }
    }
}

extension DatagramSocket {
    /// Runs `body` with the descriptor, which stays open until `body` returns. Throws `.ended` if either side has closed.
    func withOpenDescriptor<Value>(_ body: (CInt) throws(BluetoothError) -> Value) throws(BluetoothError) -> Value {
        do throws(BluetoothError) {
            guard let value = try withDescriptor(body) else { throw .ended }
            return value
        } catch {
            if case .system(_, .socketNotConnected) = error { throw .ended }
            throw error
        }
    }
}

/// The security of a channel's link, as the kernel reports it (`BT_SECURITY`, l2cap(7)).
package struct ChannelSecurity: Hashable, Sendable {
    /// The level of LE security mode 1 (Bluetooth Core Specification 5.4, volume 3, part C, section 10.2.1):
    /// - 1: not encrypted
    /// - 2: encrypted, with keys that an attacker in the middle could have exchanged ("just works")
    /// - 3: encrypted, with keys that the user confirmed
    /// - 4: like 3, with keys from LE Secure Connections
    package let level: Int
    /// The length of the encryption key in bytes, 7 to 16; 0 if the link is not encrypted.
    package let keyLength: Int

    package static let demandedLevel = 4
    /// The length of the encryption key that security level 4 requires, in bytes (same section as `level`).
    static let demandedKeyLength = 16

    package var isSufficient: Bool {
        level >= ChannelSecurity.demandedLevel && keyLength >= ChannelSecurity.demandedKeyLength
    }

    package var isEncrypted: Bool { level >= 2 && keyLength > 0 }

    /// The security level in effect. Without an encryption key it is at most 1, even if the kernel reports a higher level
    /// because this side demanded it.
    var effectiveLevel: Int { keyLength == 0 ? min(level, 1) : level }

    /// Throws `.insecure` if the security is not sufficient.
    func demandSufficient(of peer: BluetoothAddress) throws(BluetoothError) {
        guard isSufficient else { throw .insecure(peer, level: min(effectiveLevel, ChannelSecurity.demandedLevel - 1)) }
    }
}

/// The timing of connection events (Bluetooth Core Specification 5.4, volume 6, part B, section 4.5.1).
struct ConnectionParameters: Hashable, Sendable {
    /// The shortest connection interval that the controller may choose: 6 to 3,200 units of 1.25 ms.
    let shortestInterval: UInt16
    /// The longest connection interval that the controller may choose: 6 to 3,200 units of 1.25 ms.
    let longestInterval: UInt16
    /// The maximum number of connection events in a row that the peripheral may skip, 0 to 499.
    let latency: UInt16
    /// How long the link survives without a packet: 10 to 3,200 units of 10 ms.
    let supervisionTimeout: UInt16
}

extension ConnectionPriority {
    /// The parameters that PebbleOS uses (`gap_le_connect_params.c`). The supervision timeout is 6 s, so that the link survives
    /// while the wearer's arm shields the radio. For `.slow`, the specification requires only 0.36 s.
    var parameters: ConnectionParameters {
        switch self {
        case .fast:
            ConnectionParameters(shortestInterval: 12, longestInterval: 12, latency: 0, supervisionTimeout: 600)
        case .slow:
            ConnectionParameters(shortestInterval: 24, longestInterval: 36, latency: 3, supervisionTimeout: 600)
        }
    }
}
