import Wormhole

/// Announces a change of the database to the host, which is the process that serves the database. During the change, the
/// notifier holds a connection to the host's control socket. When the connection ends, the host reads the database again.
///
/// A process that is killed right after its commit also ends the connection, so the host still notices the change.
package struct ChangeNotifier: Sendable {
    private let path: String
    /// The connection; nil if no host served when the change began.
    private let socket: DatagramSocket?

    /// Connects to the host whose sockets are in this directory, if there is one. Does not wait.
    package init(sockets: String) {
        path = "\(sockets)/\(ControlSocket.endpoint(.phone).name)"
        socket = ChangeNotifier.announce(at: path)
    }

    private static func announce(at path: String) -> DatagramSocket? {
        guard let socket = try? DatagramSocket.connect(toPath: path),
            let request = try? MessageEncoder().encode(ControlCommand.changing),
            (try? socket.send(request.span)) == true
        else { return nil }
        return socket
    }

    /// Ends the connection, after which the host reads the database again.
    package func finish() {
        let isServing = isHostServing
        socket?.close()
        // Another host may have started during the change, and may have read the old contents of the database.
        if !isServing { ChangeNotifier.announce(at: path)?.close() }
    }

    /// Whether the connection to the host is still open. First discards the host's unread replies, because the end of the
    /// connection comes after them.
    private var isHostServing: Bool {
        guard let socket else { return false }
        var bytes = [UInt8](repeating: 0, count: 64)
        var buffer = bytes.mutableSpan
        while true {
            switch try? socket.receive(into: &buffer) {
            case .nothing: return true
            case .datagram, .truncated: continue
            case .closed, nil: return false
            }
        }
    }
}
