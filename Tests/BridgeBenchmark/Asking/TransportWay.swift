import HostSystem
import Wormhole

/// Asks over a transport, from a task.
struct TransportAsker: Asker {
    private let other: OtherProcess
    private let transport: SocketTransport

    init(_ other: OtherProcess) throws {
        self.other = other
        guard let socket = other.socket.number else { throw OtherProcessHasGone() }
        transport = SocketTransport(try DatagramSocket(duplicating: socket))
    }

    func ask(for length: Duration) async throws -> RoundTrips {
        try await withTaskExecutorPreference(Wormhole.socketExecutor) {
            var trips = RoundTrips(for: length)
            while trips.begin() {
                try await transport.send(Probe.bytes)
                _ = try await transport.receive()
            }
            return trips
        }
    }
}

/// Sends back what it receives, in a task.
struct TransportAnswerer: Answerer {
    func serve(in directory: String) async throws {
        let transport = SocketTransport(try DatagramSocket(duplicating: OtherProcess.given))
        await withTaskExecutorPreference(Wormhole.socketExecutor) {
            while let datagram = try? await transport.receive() { try? await transport.send(datagram) }
        }
    }
}

extension DatagramSocket {
    /// A socket of its own for the one that this descriptor means.
    fileprivate convenience init(duplicating descriptor: CInt) throws {
        let copy = try Descriptors.duplicate(descriptor, from: OtherProcess.given + 1)
        self.init(owning: copy)
        try Descriptors.setNonBlocking(copy)
    }
}
