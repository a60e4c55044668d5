import TestSupport
import Wormhole

extension TemporaryDirectory {
    func sockets() throws -> SocketDirectory { try SocketDirectory(path: path) }
}
