import Foundation
import PhoneHost
import Synchronization
import Wormhole

/// A phone's host with a database of its own.
struct Host: Sendable {
    /// How many items are on its list at first.
    static let items = 12

    private let store: PhoneStore
    private let path: String
    private let server: PhoneServer

    /// - Parameter items: how many items are on its list.
    init(in directory: String, items: Int = Host.items) async throws {
        store = try PhoneStore(path: directory + "/phone.sqlite")
        _ = try await store.add((1...items).map { ItemDraft(title: try CleanTitle("Item \($0)")) })
        let sockets = try SocketDirectory(path: directory + "/sockets")
        let watches = try UnixListener(PhoneSockets.watchSocketName, in: sockets)
        path = watches.path
        server = PhoneServer(
            store: store, watches: BondedListener(watches),
            control: try ControlSocket.endpoint(.phone).listener(in: sockets), name: "Phone",
            noticing: .looked(every: .seconds(1)), logger: .silent)
        try await server.start()
    }

    /// Tells the watches in another process where the host is.
    func admitWatches(to directory: String) throws {
        try FileManager.default.createSymbolicLink(atPath: directory + "/host.sock", withDestinationPath: path)
    }

    /// Adds an item, as a command of this user does.
    func add(_ title: String) async throws {
        _ = try await store.add([ItemDraft(title: try CleanTitle(title))])
        await server.listChanged()
    }

    func stop() async { await server.stop() }
}

/// Vouches for whoever connects, as the system does for a watch with a bond: of others a phone keeps 256 at most.
private final class BondedListener: TransportListener {
    private let listener: UnixListener
    private let count = Atomic<UInt64>(0)

    init(_ listener: UnixListener) { self.listener = listener }

    func accept() async throws(WormholeError) -> any DatagramTransport {
        let transport = try await listener.accept()
        let number = count.add(1, ordering: .relaxed).newValue
        return BondedTransport(peer: .bondedDevice(address: "watch \(number)"), transport: transport)
    }

    func close() { listener.close() }
}

private struct BondedTransport: DatagramTransport {
    let peer: TransportPeer
    let transport: any DatagramTransport

    var largestDatagram: Int { transport.largestDatagram }
    var arrivals: (any TaskExecutor)? { transport.arrivals }

    nonisolated(nonsending) func send(_ datagram: [UInt8]) async throws(WormholeError) {
        try await transport.send(datagram)
    }

    func sendAtOnce(_ datagram: [UInt8]) throws(WormholeError) -> Bool { try transport.sendAtOnce(datagram) }

    nonisolated(nonsending) func receive() async throws(WormholeError) -> [UInt8] { try await transport.receive() }

    func receiveAtOnce() throws(WormholeError) -> [UInt8]? { try transport.receiveAtOnce() }

    func close() { transport.close() }
}
