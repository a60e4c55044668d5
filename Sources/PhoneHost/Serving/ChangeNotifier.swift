import Wormhole

/// Notifies the serving host of a change that another process makes to the database. It holds a connection to the host
/// while the change is made; the host reads the database again when the connection ends.
///
/// The connection begins before the change and ends with the process at the latest, so that the host also notices the
/// change of a process that is killed right after its commit.
public struct ChangeNotifier: Sendable {
    /// The name of the socket in the directory of the sockets.
    public static let socketName = "doorbell.sock"

    private enum Door: Sendable {
        /// Connected to the host.
        case standing(DatagramSocket)
        /// No host was serving at the beginning.
        case nobody
    }

    private let path: String
    private let door: Door

    /// Connects to the host that serves in the directory `sockets`, if there is one. This does not wait.
    public init(sockets: String) {
        path = "\(sockets)/\(ChangeNotifier.socketName)"
        door = (try? DatagramSocket.connect(toPath: path)).map(Door.standing) ?? .nobody
    }

    /// Ends the connection, so that the host reads the database again.
    public func leave() {
        switch door {
        case .standing(let socket):
            let isThere = ChangeNotifier.isHostThere(socket)
            socket.close()
            // A host that ends from here on leaves the change to one that begins after it.
            if !isThere { ring() }
        case .nobody: ring()
        }
    }

    /// Notifies a host that started, and perhaps read the database, between the beginning and the change.
    private func ring() {
        (try? DatagramSocket.connect(toPath: path))?.close()
    }

    /// Whether the host of the beginning is still there. It never sends anything, and its end closes the socket.
    private static func isHostThere(_ socket: DatagramSocket) -> Bool {
        var byte: [UInt8] = [0]
        var buffer = byte.mutableSpan
        switch try? socket.receive(into: &buffer) {
        case .nothing, .datagram, .truncated: return true
        case .closed, nil: return false
        }
    }
}
