import HostSystem
import Synchronization
import WatchLink
import Wormhole

/// The phone's end of a channel over the air: what the scenario delivers is received, and what is sent waits until the
/// scenario takes it.
final class AirChannel: DatagramTransport {
    private enum Phase {
        case open
        /// The watch is gone; what arrived before can still be received.
        case ended
        case closed
    }

    private struct Contents {
        var phase = Phase.open
        var arrived: [[UInt8]] = []
        var sent: [[UInt8]] = []
        /// Datagrams that are on their way and have not arrived at the watch.
        var underway = 0
    }

    /// How many datagrams are on their way before a sender waits: the credits of a channel.
    private static let capacity = 16

    let peer = TransportPeer.unknown
    let largestDatagram = 512
    private let contents = WaitableState(Contents())

    func send(_ datagram: [UInt8]) async throws(WormholeError) {
        let isDone: Void? = try await contents.wait { contents throws(WormholeError) in
            guard case .open = contents.phase else { throw .closed }
            guard contents.underway < AirChannel.capacity else { return nil }
            contents.sent.append(datagram)
            contents.underway += 1
            return ()
        }
        if isDone == nil { throw .closed }
    }

    func receive() async throws(WormholeError) -> [UInt8] {
        let datagram: [UInt8]? = try await contents.wait { contents throws(WormholeError) in
            switch contents.phase {
            case .closed: throw .closed
            case .ended where contents.arrived.isEmpty: throw .closed
            case .open, .ended: return contents.arrived.isEmpty ? nil : contents.arrived.removeFirst()
            }
        }
        guard let datagram else { throw .closed }
        return datagram
    }

    func close() {
        contents.change { $0.phase = .closed }
    }

    // MARK: The scenario's side

    /// Whether the phone has neither closed it nor been told of its end.
    var isOpen: Bool { contents.read { $0.phase == .open } }

    /// Takes what the phone has sent.
    func takeSent() -> [[UInt8]] {
        guard contents.read({ !$0.sent.isEmpty }) else { return [] }
        return contents.change { contents in
            defer { contents.sent = [] }
            return contents.sent
        }
    }

    /// A datagram has arrived at the watch, so there is room for another.
    func carried() {
        contents.change { $0.underway -= 1 }
    }

    func deliver(_ datagram: [UInt8]) {
        contents.change { $0.arrived.append(datagram) }
    }

    /// A program sends a request over the control socket.
    func request(_ request: ControlCommand) {
        do throws(WormholeError) {
            deliver(try MessageEncoder().encode(request))
        } catch {
            preconditionFailure("a request of the simulation cannot be encoded: \(error)")
        }
    }

    /// The watch is gone.
    func end() {
        contents.change { contents in
            if case .open = contents.phase { contents.phase = .ended }
        }
    }
}

/// A phone's side of connecting: it waits for channels, which the scenario opens.
final class AirListener: TransportListener {
    private struct Contents {
        var isClosed = false
        var arrived: [AirChannel] = []
    }

    private let contents = WaitableState(Contents())

    func accept() async throws(WormholeError) -> any DatagramTransport {
        let channel: AirChannel? = try await contents.wait { contents throws(WormholeError) in
            guard !contents.isClosed else { throw .closed }
            return contents.arrived.isEmpty ? nil : contents.arrived.removeFirst()
        }
        guard let channel else { throw .closed }
        return channel
    }

    func close() {
        contents.change { $0.isClosed = true }
    }

    /// A peer has connected.
    func offer(_ channel: AirChannel) {
        contents.change { $0.arrived.append(channel) }
    }
}

/// The connecting end's way to the other one: the scenario makes each channel.
final class AirConnector: TransportConnector {
    /// What the scenario does about an attempt. Everything of a simulation runs on one thread.
    private struct Attempt: @unchecked Sendable {
        let connect: () -> AirChannel?
    }

    private let attempt: Attempt

    /// - Parameter connect: a channel; nil if the other end is not in reach.
    init(_ connect: @escaping () -> AirChannel?) {
        attempt = Attempt(connect: connect)
    }

    func connect() async throws(WormholeError) -> any DatagramTransport {
        guard let channel = attempt.connect() else { throw .nobodyListening(path: "air") }
        return channel
    }
}
