import HostSystem
import SystemPackage

/// All that can go wrong in this module.
public enum WormholeError: Error, Hashable, Sendable {
    /// A call of the operating system failed: the name of the C function, the path it was about (nil for none), the
    /// reason.
    case system(call: String, path: String?, Errno)
    /// A socket's path has more bytes than an address holds.
    case pathTooLong(path: String, limit: Int)
    /// The directory for sockets cannot be trusted.
    case unsafeDirectory(path: String, DirectoryFault)
    /// Another process serves this socket already; its number, or nil where it did not say.
    case alreadyServed(path: String, process: Int32?)
    /// Nobody listens at this socket.
    case nobodyListening(path: String)
    /// The process at the other end belongs to another user.
    case foreignPeer(user: UInt32, expected: UInt32)
    /// A datagram is longer than the transport carries; nothing of it was sent. The limit is nil where only the system
    /// knows it.
    case datagramTooLong(bytes: Int, limit: Int?)
    /// A transport of another module stands in the way: its own reason, one line for a person to read.
    case transport(String)
    /// The transport, the listener or the endpoint is closed.
    case closed
    /// A name is empty or longer than 32 bytes.
    case invalidName(String)
    /// An encoded message is larger than the peer accepts; it was neither sent nor stored.
    case messageTooLarge(bytes: Int, limit: Int)
    /// The delivery has its place in the protocol, but this version does not support it.
    case notSupportedYet(Delivery)
    /// The message is addressed to a peer that never said hello, or there is no peer to queue it for.
    case unknownPeer
    /// A value could not be turned into CBOR, or not back from it.
    case coding(CodingFault)
    /// The store failed; the text says how.
    case storage(String)
    /// The peer supports protocol versions `oldest` to `newest`; this program supports none of them.
    case versionMismatch(oldest: UInt32, newest: UInt32)
}

/// Why a directory for sockets is not trusted.
public enum DirectoryFault: Hashable, Sendable {
    /// Something that is not a directory has this name.
    case notADirectory
    /// It belongs to another user, whose number this is.
    case foreignOwner(user: UInt32)
    /// Others than the owner may enter it; the permission bits as they are.
    case openToOthers(mode: UInt32)
}

extension WormholeError: CustomStringConvertible {
    /// One line for a person to read.
    public var description: String {
        switch self {
        case .system(let call, let path, let reason): reason.explanation(of: call, on: path)
        case .pathTooLong(let path, let limit):
            "the socket path has \(path.utf8.count) bytes and may have \(limit): \(path)"
        case .unsafeDirectory(let path, .notADirectory):
            "\(path) is not a directory"
        case .unsafeDirectory(let path, .foreignOwner(let user)):
            "the directory \(path) belongs to user \(user), not to this one"
        case .unsafeDirectory(let path, .openToOthers(let mode)):
            "the directory \(path) is open to others (mode 0\(String(mode, radix: 8))); make it 0700"
        case .alreadyServed(let path, let process):
            process.map { "\(path) is already served by process \($0)" } ?? "\(path) is already served"
        case .nobodyListening(let path): "no program serves \(path): start it, or check the path"
        case .foreignPeer(let user, let expected): "refused a process of user \(user): only user \(expected) is served"
        case .datagramTooLong(let bytes, let limit):
            limit.map { "a datagram has \(bytes) bytes, the limit is \($0)" }
                ?? "a datagram of \(bytes) bytes is longer than the system carries"
        case .transport(let reason): reason
        case .closed: "closed"
        case .invalidName(let text): "a message name has 1 to 32 bytes of UTF-8: \"\(text)\""
        case .messageTooLarge(let bytes, let limit): "a message has \(bytes) bytes, the peer accepts at most \(limit)"
        case .notSupportedYet(let delivery): "the delivery \(delivery) is not supported yet"
        case .unknownPeer: "no such peer has connected yet"
        case .coding(let fault): fault.description
        case .storage(let reason): "the message store failed: \(reason)"
        case .versionMismatch(let oldest, let newest):
            "the peer supports protocol versions \(oldest) to \(newest), of which this program supports none: update one side"
        }
    }
}
