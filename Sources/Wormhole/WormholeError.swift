import HostSystem
import SystemPackage
import WatchLink

/// An error that a function of this module throws.
public enum WormholeError: Error, Hashable, Sendable, Codable {
    /// The C function `call` failed. The `Errno` is the reason. If the function was called for a file, `path` is that file's
    /// path.
    case system(call: String, path: String?, Errno)
    case pathTooLong(path: String, limit: Int)
    case unsafeDirectory(path: String, DirectoryFault)
    /// This process or another has already claimed the socket or the database at `path`. If known, `process` is the ID of the
    /// process with the claim.
    case alreadyServed(path: String, process: Int32?)
    /// No process listens at this socket.
    case noListener(path: String)
    /// A process serves the socket but sends nothing: it is stopped, or has been silent for a minute. `process` is its process
    /// ID; nil if not known.
    case notAnswering(path: String, process: Int32?)
    /// The process at the other end belongs to another user than `expected`. Both values are user IDs.
    case foreignPeer(user: UInt32, expected: UInt32)
    /// A datagram was too long to send or to receive, and was dropped. `limit` is in bytes; nil if only the system knows it.
    case datagramTooLong(bytes: Int, limit: Int?)
    case transport(String)
    /// The transport, the listener, the endpoint or the store is closed. Some calls also throw this if their task is cancelled.
    case closed
    case invalidName(String)
    /// An encoded message is larger than the peer or the transport to it accepts. The message was neither sent nor stored.
    case messageTooLarge(bytes: Int, limit: Int)
    /// The caller passed a message with the delivery `.file`. Only `send(fileAt:)` sends files.
    case fileIsNoMessage
    /// The peer does not accept messages with this delivery. For `.file`, the reason may also be that this endpoint's own
    /// configuration excludes files.
    case notTaken(Delivery, by: PeerIdentity)
    /// The peer cannot be reached; the text says why.
    case unreachable(String)
    /// The peer replied without an answer. The status is the peer's reason.
    case noAnswer(ReplyStatus)
    /// The peer was reachable but did not reply in time.
    case noReply
    /// An answerer for this name is registered already.
    case answered(MessageName)
    /// `limit` interactive messages, the maximum, already wait for the peer's replies. The new message was not sent.
    case tooManyOpen(limit: Int)
    case cancelled
    /// The recipient has never connected. For a message to all peers: no peer has ever connected.
    case unknownPeer
    /// No known peer has this name or identity. `known` lists all known peers.
    case noSuchPeer(String, known: [PeerIdentity])
    /// The program that owns the store reserves this name for its own messages.
    case reservedName(MessageName)
    /// The caller must choose one of these peers. Either the given name fits all of them, or the caller gave no name and all
    /// of them are reachable.
    case severalPeers([PeerIdentity])
    /// `limit` messages or files, the maximum, already wait for the recipient. The new message or file was not stored.
    case queueFull(limit: Int)
    /// No message has this number, or the message was finished so long ago that its fate is no longer stored.
    case noSuchMessage(MessageNumber)
    /// No file transfer has this number, or the transfer has ended.
    case noSuchFile(UInt64)
    /// The message cannot be cancelled, because it has this fate already.
    case notCancelled(MessageNumber, MessageFate)
    case invalidLabel(String)
    case notAFile(path: String)
    /// A file has more than `limit` bytes, and nothing of it was sent. If `bytes` is `limit` + 1, the file may be even longer.
    case fileTooLarge(path: String, bytes: UInt64, limit: UInt64)
    case receivesAlready(directory: String)
    case coding(CodingFault)
    /// The message store failed; the text says why.
    case storage(String)
}

/// Why a directory is not trusted to hold sockets.
public enum DirectoryFault: Hashable, Sendable, Codable {
    case notADirectory
    /// The directory belongs to another user, with this user ID.
    case foreignOwner(user: UInt32)
    /// Users other than the owner have permissions for the directory. `mode` is the directory's permission bits.
    case openToOthers(mode: UInt32)
}

extension WormholeError: CustomStringConvertible {
    /// One line for the user.
    public var description: String {
        switch self {
        case .system(let call, let path, let reason): reason.explanation(of: call, on: path)
        case .pathTooLong(let path, let limit):
            "the socket path has \(CountText(path.utf8.count, "byte")) and may have \(limit): \(path)"
        case .unsafeDirectory(let path, .notADirectory):
            "\(path) is not a directory: name another one"
        case .unsafeDirectory(let path, .foreignOwner(let user)):
            "the directory \(path) belongs to user \(user), not to this one: name another directory"
        case .unsafeDirectory(let path, .openToOthers(let mode)):
            "the directory \(path) is open to others (mode 0\(String(mode, radix: 8))); make it 0700"
        case .alreadyServed(let path, let process):
            process.map { "\(path) is already served by process \($0)" } ?? "\(path) is already served"
        case .noListener(let path): "no program serves \(path): start it, or check the path"
        case .notAnswering(let path, let process?):
            "process \(process) serves \(path) but does not answer: continue it (kill -CONT \(process)), or end it"
        case .notAnswering(let path, nil): "the program that serves \(path) does not answer: continue it, or end it"
        case .foreignPeer(let user, let expected):
            "refused a process of user \(user): only those of user \(expected) are trusted"
        case .datagramTooLong(let bytes, let limit):
            limit.map { "a datagram has \(CountText(bytes, "byte")), the limit is \($0)" }
                ?? "a datagram of \(CountText(bytes, "byte")) is longer than the system carries"
        case .transport(let reason): reason
        case .closed: "closed"
        case .invalidName(let text): "a message name has 1 to 32 bytes of UTF-8: \"\(SanitizedLine(text))\""
        case .messageTooLarge(let bytes, let limit):
            "a message has \(CountText(bytes, "byte")), the peer accepts at most \(limit)"
        case .invalidLabel(let text):
            "a label has 1 to 255 bytes, no '/' and no control character, and begins with no dot: \"\(SanitizedLine(text))\""
        case .notAFile(let path): "\(path) is not a file: name another one"
        case .fileTooLarge(let path, let bytes, let limit):
            "\(path) has \(bytes) bytes\(bytes == limit &+ 1 ? " or more" : ""), and a file to send may have \(limit): send it in parts"
        case .receivesAlready(let directory): "files are received into \(directory) already: end that first"
        case .fileIsNoMessage: "a file is no message: send it with send(fileAt:)"
        case .notTaken(let delivery, let peer): "\(peer) \(delivery.notTakenWords)"
        case .unreachable(let why): "the peer cannot be reached: \(why)"
        case .noAnswer(let reason): reason.words
        case .noReply: "no answer came in time"
        case .answered(let name): "the name '\(SanitizedLine(name.text))' has an answerer already: end that first"
        case .tooManyOpen(let limit): "\(limit) messages wait for an answer already: ask more once one has come"
        case .cancelled: "cancelled"
        case .unknownPeer: "no such peer has connected yet"
        case .noSuchPeer(let text, []): "no peer is called '\(SanitizedLine(text))': none has connected yet"
        case .noSuchPeer(let text, let known):
            "no peer is called '\(SanitizedLine(text))': there is \(known.map(\.description).joined(separator: ", "))"
        case .reservedName(let name): "the name '\(name)' is one of Tapline's own: take another"
        case .severalPeers(let peers): "name one peer with --to: \(peers.map(\.description).joined(separator: ", "))"
        case .queueFull(let limit):
            "\(limit) messages wait for the peer already: pass more once it has connected"
        case .noSuchMessage(let number): "no message has the number \(number), or it was done long ago"
        case .noSuchFile(let number): "no file with the number \(HexadecimalText(number)) is on its way"
        case .notCancelled(let number, let fate): "message \(number) cannot be taken back: it is \(fate)"
        case .coding(let fault): fault.description
        case .storage(let reason): "the message store failed: \(reason)"
        }
    }
}

/// Why a value could not be encoded as CBOR or decoded from it.
public enum CodingFault: Hashable, Sendable, Codable {
    /// The bytes are not one well-formed CBOR data item, or they exceed a limit; the text gives the details.
    case malformed(String)
    /// A text is not a JSON value. The string is the beginning of the text.
    case notJSON(String)
    case repeatedKey(String)
    /// An integer of JSON does not fit into 64 bits.
    case tooWide(String)
    case tooDeep(limit: Int)
    case tooLarge(limit: Int)
    /// The value at this path of keys has another type than the caller asked for; the text names both types.
    case typeMismatch(path: String, String)
    case missing(path: String)
    /// The type's own `encode(to:)` or `init(from:)` failed; the text says how.
    case refusedByType(path: String, String)
}

extension CodingFault: CustomStringConvertible {
    /// One line for the user.
    public var description: String {
        switch self {
        case .malformed(let text): "not a CBOR data item: \(text)"
        case .notJSON(let text): "not JSON: \(SanitizedLine(text)); a text is in double quotes"
        case .repeatedKey(let key): "the key '\(SanitizedLine(key, limit: 40))' occurs twice: remove one"
        case .tooWide(let number):
            "\(SanitizedLine(number, limit: 40)) does not fit into 64 bits: write it as a text, or with a fraction"
        case .tooDeep(let limit): "values nested deeper than \(limit)"
        case .tooLarge(let limit): "a value of more than \(limit) encoded bytes"
        case .missing(let path): "nothing at \(path)"
        case .typeMismatch(let path, let text), .refusedByType(let path, let text): "at \(path): \(text)"
        }
    }
}
