import Wormhole

/// What a host serves on this machine: the socket of the watches, the doorbell, and the right to the database.
///
/// All of it is given back when the process ends, however it ends.
public struct PhoneSockets: Sendable {
    /// The name of the watches' socket in the directory of the sockets.
    public static let watchSocketName = "watch.sock"

    /// The path of the watches' socket.
    public let watchPath: String
    let watches: UnixListener
    let doorbell: UnixListener
    private let claim: ServiceLock

    /// Takes the right to `database` and serves both sockets in `directory`, which is made with mode 0700 where it is
    /// missing. Sockets that a crash left behind are replaced.
    ///
    /// - Throws: `.alreadyServed` with the number of the process that does, `.sockets` where they cannot be made or the
    ///   directory cannot be trusted.
    public init(in directory: String, database: String) throws(PhoneError) {
        do throws(WormholeError) {
            claim = try ServiceLock(forFileAt: database)
            let directory = try SocketDirectory(path: directory)
            watches = try UnixListener(PhoneSockets.watchSocketName, in: directory)
            doorbell = try UnixListener(ChangeNotifier.socketName, in: directory)
            watchPath = watches.path
        } catch {
            if case .alreadyServed(_, let process) = error { throw .alreadyServed(process: process) }
            throw .sockets(reason: error.description)
        }
    }

    /// Removes the sockets.
    func close() {
        watches.close()
        doorbell.close()
    }
}
