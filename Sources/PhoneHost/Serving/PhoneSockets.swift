import Wormhole

/// A host's sockets for watches and for control, and its lock on the database. A host is the process that serves a database.
///
/// The system releases them when the process ends, even after a crash.
public struct PhoneSockets: Sendable {
    /// The file name of the watches' socket.
    public static let watchSocketName = "watch.sock"

    /// The path of the watches' socket.
    public let watchPath: String
    let watches: UnixListener
    /// The socket for programs that pass messages through the host, or that change its database.
    let control: UnixListener
    private let lock: ServiceLock
    private let claim: FileClaim

    /// Locks the file `database`. The lock also stops processes that open the file by another path. Creates both sockets in
    /// `directory`. Creates a missing directory with mode 0700, and replaces sockets that a crash left behind.
    ///
    /// - Throws: `.alreadyServed` with the process that serves the database or the sockets; `.sockets` if the sockets cannot be
    ///   created or are unsafe.
    public init(in directory: String, database: String) throws(PhoneError) {
        do throws(WormholeError) {
            // The first lock is a file beside the database that names the serving process. The second also holds for other
            // paths of the file.
            lock = try ServiceLock(forFileAt: DatabaseFile(path: database).realPath)
            claim = try FileClaim(fileAt: database)
            let directory = try SocketDirectory(path: directory)
            watches = try UnixListener(PhoneSockets.watchSocketName, in: directory)
            control = try ControlSocket.endpoint(.phone).listener(in: directory)
            watchPath = watches.path
        } catch {
            if case .alreadyServed(_, let process) = error { throw .alreadyServed(process: process) }
            throw .sockets(reason: error.description)
        }
    }

    func close() {
        watches.close()
        control.close()
    }
}
