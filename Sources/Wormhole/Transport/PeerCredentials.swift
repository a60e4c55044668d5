import Glibc

/// Who is at the other end of an AF_UNIX socket, as the kernel recorded it when the connection was made.
package struct PeerCredentials: Hashable, Sendable {
    /// The number of the process.
    package let process: Int32
    /// The number of its user.
    package let user: UInt32
    /// The number of its group.
    package let group: UInt32

    /// Refuses a peer of another user than `user`.
    ///
    /// - Throws: `.foreignPeer`.
    package func demand(user expected: UInt32) throws(WormholeError) {
        guard user == expected else { throw .foreignPeer(user: user, expected: expected) }
    }
}

extension PeerCredentials {
    /// The credentials of the peer of a connected socket (`SO_PEERCRED`, unix(7)).
    init(ofSocket descriptor: CInt) throws(WormholeError) {
        // struct ucred is three 32-bit numbers; the C library shows its name to GNU sources only.
        var numbers: (Int32, UInt32, UInt32) = (0, 0, 0)
        var size = socklen_t(MemoryLayout.size(ofValue: numbers))
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &numbers, &size) == 0 else {
            throw SocketCalls.failure("getsockopt")
        }
        self.init(process: numbers.0, user: numbers.1, group: numbers.2)
    }
}
