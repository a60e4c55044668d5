import WatchLink

/// A connection of the control socket, from either end.
package struct SharedChannel: Sendable {
    private let transport: any DatagramTransport

    init(_ transport: any DatagramTransport) {
        self.transport = transport
    }

    /// Connects to the endpoint of a side. Nothing is asked of it before it has said that it is there: of what a program that is stopped
    /// finds later nobody would know what came of it.
    ///
    /// - Throws: `.nobodyListening` where there is none; `.notAnswering` where its program is stopped; `.closed` where it has just
    ///   ended; as `UnixConnector.connect`.
    package init(to role: LinkRole, in directory: SocketDirectory) async throws(WormholeError) {
        let path = directory.path(of: EndpointSharing.socketName(of: role))
        transport = try await UnixConnector(path: path, largestDatagram: EndpointSharing.largestDatagram).connect()
        let process = transport.peer.process
        let patience = GreetingPatience(process)
        let watchdog = Task { [transport] in
            if await patience.isOver() { transport.close() }
        }
        defer { watchdog.cancel() }
        do throws(WormholeError) {
            guard case .serving = try await receive(SharedReply.self) else {
                throw .coding(.malformed("a program of another version"))
            }
        } catch {
            transport.close()
            guard error == .closed, patience.state == .over else { throw error }
            throw .notAnswering(path: path, process: process)
        }
    }

    /// Whether the program at the other end has left.
    var hasLeft: Bool { (transport as? SocketTransport)?.isHungUp ?? false }

    package func send(_ value: some Encodable) async throws(WormholeError) {
        try await transport.send(try MessageEncoder(largestSize: EndpointSharing.largestDatagram).encode(value))
    }

    /// - Throws: `.closed` once the other end has gone; `.coding` for what another version may say.
    package func receive<Value: Decodable>(_ type: Value.Type) async throws(WormholeError) -> Value {
        try MessageDecoder().decode(type, from: try await transport.receive())
    }

    package func close() { transport.close() }
}
