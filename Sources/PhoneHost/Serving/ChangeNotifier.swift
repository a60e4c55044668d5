import Wormhole

/// Notifies the serving host of a change that another process makes to the database. It holds a connection to the host's control
/// socket while the change is made; the host reads the database again when the connection ends.
///
/// The connection begins before the change and ends with the process at the latest, so that the host also notices the
/// change of a process that is killed right after its commit.
package struct ChangeNotifier: Sendable {
    private let path: String
    /// The connection to the host; nil if no host was serving at the beginning.
    private let socket: DatagramSocket?

    /// Connects to the host that serves in the directory `sockets`, if there is one. This does not wait.
    package init(sockets: String) {
        path = "\(sockets)/\(ControlSocket.endpoint(.phone).name)"
        socket = ChangeNotifier.announce(at: path)
    }

    private static func announce(at path: String) -> DatagramSocket? {
        guard let socket = try? DatagramSocket.connect(toPath: path),
            let request = try? MessageEncoder().encode(ControlCommand.changing),
            case .sent? = try? socket.send(request.span)
        else { return nil }
        return socket
    }

    /// Ends the connection, so that the host reads the database again.
    package func finish() {
        let isServing = isHostServing
        socket?.close()
        // Another host may have started, and perhaps read the database, between the beginning and the change.
        if !isServing { ChangeNotifier.announce(at: path)?.close() }
    }

    /// Whether the host of the beginning still serves: its end closes the socket, behind its greeting.
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
