import Glibc
import Wormhole

/// A directory of sockets, and the watches that run there: each has a socket with the number of its process.
struct ControlDirectory: Sendable {
    private static let (prefix, ending) = ("watch-", ".control")

    let sockets: SocketDirectory

    init(path: String) throws(WatchControlError) {
        do throws(WormholeError) {
            sockets = try SocketDirectory(path: path)
        } catch {
            throw .sockets(error)
        }
    }

    /// Whether there is something of this name.
    static func isThere(_ path: String) -> Bool {
        var information = stat()
        return lstat(path, &information) == 0
    }

    /// The name of the socket of a process.
    static func name(of process: Int32) -> String { "\(prefix)\(process)\(ending)" }

    /// The path of the socket of a process.
    func path(of process: Int32) -> String { sockets.path(of: ControlDirectory.name(of: process)) }

    /// The processes of which there is a socket, in order; a watch that was killed has left one.
    var processes: [Int32] {
        guard let stream = opendir(sockets.path) else { return [] }
        defer { closedir(stream) }
        var processes: [Int32] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix(ControlDirectory.prefix), name.hasSuffix(ControlDirectory.ending) else { continue }
            let number = name.dropFirst(ControlDirectory.prefix.count).dropLast(ControlDirectory.ending.count)
            if let process = Int32(number) { processes.append(process) }
        }
        return processes.sorted()
    }

    /// The processes that answer.
    var running: [Int32] {
        processes.filter { (try? DatagramSocket.connect(toPath: path(of: $0))) != nil }
    }

    /// Removes the sockets of watches that were killed.
    func removeLeftovers() {
        for process in processes where process != getpid() {
            // Nobody has the lock whose process has ended.
            guard let lock = try? ServiceLock(forFileAt: path(of: process)) else { continue }
            unlink(path(of: process))
            removeLock(of: process)
            withExtendedLifetime(lock) {}
        }
    }

    /// Removes the file of the lock that the socket of a process had: no other process takes one of that name.
    func removeLock(of process: Int32) { unlink(ControlDirectory.lock(ofSocketAt: path(of: process))) }

    /// The file of the lock of a socket.
    static func lock(ofSocketAt path: String) -> String { path + ".lock" }
}
