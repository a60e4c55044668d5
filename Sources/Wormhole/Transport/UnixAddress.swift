import Glibc

/// The address of an AF_UNIX socket in the file system.
package struct UnixAddress {
    /// The most bytes of a path: `sun_path` has 108 on Linux (unix(7)), and a zero ends the text.
    static let longestPath = 107

    private var address: sockaddr_un

    /// The address of `path`.
    ///
    /// - Throws: `.pathTooLong` for more than 107 bytes.
    package init(path: String) throws(WormholeError) {
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, bytes.count <= UnixAddress.longestPath else {
            throw .pathTooLong(path: path, limit: UnixAddress.longestPath)
        }
        address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    }

    /// Calls a C function with the address as it wants it.
    func withSocketAddress(_ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> CInt {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
