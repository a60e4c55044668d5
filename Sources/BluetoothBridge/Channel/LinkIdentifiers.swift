import SystemPackage
import WatchLink
import Wormhole

/// The numbers by which L2CAP tells the answers to its requests apart, 1 to 255, counted round by each side for itself.
///
/// Linux keeps the number of the request that a channel came with, and looks answers up by number alone
/// (`l2cap_le_connect_rsp` in net/bluetooth/l2cap_core.c, 6.1.192 and the versions before it). Where the side that was
/// connected to asks for channels of its own under the same number, as bluetoothd does for the Enhanced ATT bearers a
/// moment after a link stands, their answer goes to our channel, and what the watch says from then on reaches nobody
/// (measured). Both sides begin with 1, so the side that connects uses up the numbers that bluetoothd will take: once
/// for each link, for on one that stands the numbers of its bearers would come round again.
struct LinkIdentifiers {
    /// How many numbers are used up. bluetoothd asks for four bearers at the most (`[GATT] Channels` in main.conf), the
    /// kernel for better connection parameters, and each datagram that the watch receives before that takes one as
    /// well.
    static let passed = 24

    /// A number that is never served: it is reserved, and outside of those that programs may choose (Bluetooth Core
    /// Specification 5.4, volume 3, part A, section 4.22).
    static let unservedPSM: UInt16 = 0x7F

    /// The requests, all under way at once: each is one exchange over the radio link.
    private let requests: [DatagramSocket]

    /// Asks the peer for channels that it will refuse. What can't be asked for is left out: it is not what was wanted.
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

    /// Returns when all were refused, or failed otherwise, or the task is cancelled.
    func areUsed() async throws(WormholeError) {
        for request in requests { try await request.wait(until: .writable) }
    }

    /// Gives up what has not been answered yet.
    func end() {
        for request in requests { request.close() }
    }
}
