import Logging
import Wormhole
import WormholeTesting

extension InMemoryLink {
    func announceChange() async throws -> any DatagramTransport {
        let connection = try await connector.connect()
        try await connection.send(try MessageEncoder().encode(ControlCommand.changing))
        return connection
    }
}

extension Logger {
    static let silent = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
}
