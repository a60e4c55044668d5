import Wormhole

/// Notifies the serving host of a change that another process makes to the database. It holds a connection to the host
/// while the change is made; the host reads the database again when the connection ends.
///
/// The connection begins before the change and ends with the process at the latest, so that the host also notices the
/// change of a process that is killed right after its commit.
package struct ChangeNotifier: Sendable {
    /// The name of the socket in the directory of the sockets.
    package static let socketName = "changes.sock"

    private let path: String
    /// The connection to the host; nil where no host was serving at the beginning.
    private let socket: DatagramSocket?

    /// Connects to the host that serves in the directory `sockets`, if there is one. This does not wait.
    package init(sockets: String) {
        path = "\(sockets)/\(ChangeNotifier.socketName)"
        socket = try? DatagramSocket.connect(toPath: path)
    }

    /// Ends the connection, so that the host reads the database again.
    package func finish() {
        let isServing = isHostServing
        socket?.close()
        // Another host may have started, and perhaps read the database, between the beginning and the change.
        if !isServing { (try? DatagramSocket.connect(toPath: path))?.close() }
    }

    /// Whether the host of the beginning still serves. It never sends anything, and its end closes the socket.
    private var isHostServing: Bool {
        guard let socket else { return false }
        var byte: [UInt8] = [0]
        var buffer = byte.mutableSpan
        switch try? socket.receive(into: &buffer) {
        case .nothing, .datagram, .truncated: return true
        case .closed, nil: return false
        }
    }
}
