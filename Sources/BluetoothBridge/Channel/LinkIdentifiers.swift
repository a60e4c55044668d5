import SystemPackage
import WatchLink
import Wormhole

/// The identifiers that match an L2CAP response to its request, 1 to 255; each side counts its own.
///
/// Linux keeps the identifier of the request that opened a channel, and looks up responses by identifier alone
/// (`l2cap_le_connect_rsp` in net/bluetooth/l2cap_core.c, 6.1.192 and earlier). bluetoothd on the other side opens
/// Enhanced ATT bearers just after the link is up. Where it uses the same identifier, the response goes to our channel,
/// and nothing that the watch sends arrives any more (measured). Both sides start at 1, so the side that connects uses up
/// the identifiers that bluetoothd will use: once for each link, because on an existing link they would be used again.
struct LinkIdentifiers {
    /// The number of identifiers to use up. bluetoothd opens at most four bearers (`[GATT] Channels` in main.conf), the
    /// kernel requests other connection parameters, and each datagram that the watch receives before uses one as well.
    static let passed = 24

    /// A PSM that nobody serves: it is reserved, and programs cannot choose it (Bluetooth Core Specification 5.4, volume 3,
    /// part A, section 4.22).
    static let unservedPSM: UInt16 = 0x7F

    /// The requests, all at once: each is one exchange over the radio link.
    private let requests: [DatagramSocket]

    /// Requests channels that the peer will refuse. A request that fails at once is skipped.
    init(to peer: BluetoothPeer, from adapter: BluetoothAddress) throws(BluetoothError) {
        var requests: [DatagramSocket] = []
        for _ in 0..<LinkIdentifiers.passed {
            let descriptor = try KernelCalls.makeSocket()
            let socket = DatagramSocket(owning: descriptor)
            try KernelCalls.bind(descriptor, to: adapter, psm: 0)
            if case .nowInProgress = KernelCalls.connect(descriptor, to: peer, psm: LinkIdentifiers.unservedPSM) {
                requests.append(socket)
            } else {
                socket.close()
            }
        }
        self.requests = requests
    }

    /// Returns when all were refused or have failed, or the task is cancelled.
    func areUsed() async throws(WormholeError) {
        for request in requests { try await request.wait(until: .writable) }
    }

    /// Cancels the requests that have not been answered.
    func end() {
        for request in requests { request.close() }
    }
}
