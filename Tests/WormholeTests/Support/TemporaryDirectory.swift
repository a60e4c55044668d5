import Foundation
import Wormhole

/// A directory that only this user enters, removed with the object.
final class TemporaryDirectory: Sendable {
    let path: String

    init() {
        // Short, because a socket's path has to fit into 107 bytes.
        path = "/tmp/wh-\(UInt32.random(in: 0 ... .max))"
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func path(of name: String) -> String { path + "/" + name }

    func sockets() throws -> SocketDirectory { try SocketDirectory(path: path) }
}
