import Wormhole

/// How another process tells a host that serves of a change to the database: it stands at the door while it makes the change,
/// and the host reads the database again when it leaves.
///
/// The visit begins before the change and ends with the process at the latest, so a change of a process that is killed right
/// after its commit is not missed either.
public struct ChangeNotifier: Sendable {
    /// The name of the socket in the directory of the sockets.
    public static let socketName = "doorbell.sock"

    private enum Door: Sendable {
        /// A host has been told that somebody is there.
        case standing(DatagramSocket)
        /// No host served when the visit began.
        case nobody
    }

    private let path: String
    private let door: Door

    /// Goes to the door of the host that serves in the directory `sockets`, if there is one. This does not wait.
    public init(sockets: String) {
        path = "\(sockets)/\(ChangeNotifier.socketName)"
        door = (try? DatagramSocket.connect(toPath: path)).map(Door.standing) ?? .nobody
    }

    /// Leaves, so that the host reads the database again. The visit is over then.
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

    /// Tells a host that came, and perhaps read the database, between the beginning of the visit and the change.
    private func ring() {
        (try? DatagramSocket.connect(toPath: path))?.close()
    }

    /// Whether the host that was there when the visit began still is. It says nothing, and its end closes the door.
    private static func isHostThere(_ socket: DatagramSocket) -> Bool {
        var byte: [UInt8] = [0]
        var buffer = byte.mutableSpan
        switch try? socket.receive(into: &buffer) {
        case .nothing, .datagram, .truncated: return true
        case .closed, nil: return false
        }
    }
}
