import Wormhole

/// The sockets that a host serves on this machine, for watches and for control, and its lock on the database.
///
/// The system releases all of it when the process ends, however it ends.
public struct PhoneSockets: Sendable {
    /// The name of the watches' socket in the directory of the sockets.
    public static let watchSocketName = "watch.sock"

    /// The path of the watches' socket.
    public let watchPath: String
    let watches: UnixListener
    /// For programs that pass messages through the host, or change its database.
    let control: UnixListener
    private let lock: ServiceLock
    private let claim: FileClaim

    /// Locks `database`, under whatever name, and serves both sockets in `directory`, which is created with mode 0700 where it is missing.
    /// Sockets that a crash left behind are replaced.
    ///
    /// - Throws: `.alreadyServed` with the number of the process that serves them, `.sockets` where they cannot be
    ///   created or the directory cannot be trusted.
    public init(in directory: String, database: String) throws(PhoneError) {
        do throws(WormholeError) {
            // Beside the real file, where it says which process serves it, and on the file itself, which may have been given
            // another name.
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
