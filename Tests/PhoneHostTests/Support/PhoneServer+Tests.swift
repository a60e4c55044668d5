import Logging
import Wormhole
import WormholeTesting

extension InMemoryLink {
    /// Connects to a host's control socket as a command does that is about to change the database.
    func announceChange() async throws -> any DatagramTransport {
        let connection = try await connector.connect()
        try await connection.send(try MessageEncoder().encode(ControlCommand.changing))
        return connection
    }
}

extension Logger {
    static let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
}
