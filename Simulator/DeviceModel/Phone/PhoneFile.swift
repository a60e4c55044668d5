import HostSystem
import WatchLink

/// A file that a program on a simulated phone sends to its watch.
public struct PhoneFile: Sendable, Equatable {
    /// What it is called: 1 to 255 bytes of UTF-8, of which a watch may take fewer.
    public let label: String
    /// Its bytes.
    public let content: [UInt8]
    /// The number under which it is offered on every link, not 0.
    public let transfer: UInt64
    /// What the offer says of the content: 32 bytes, its SHA-256 unless somebody has changed it.
    public var hash: [UInt8]
    /// What the program says about the file: one CBOR item, empty for nothing.
    public var metadata: [UInt8] = []

    /// A file with the SHA-256 of its content. Traps for the transfer 0, which no file has.
    public init(label: String, content: [UInt8], transfer: UInt64) {
        precondition(transfer != 0, "no transfer is 0")
        self.label = label
        self.content = content
        self.transfer = transfer
        hash = SHA256.digest(of: content)
    }
}

/// How far a file of a simulated phone has got.
public enum PhoneFileState: Sendable, Equatable {
    /// It is to be offered: on the next link, after those before it, or again to a watch that was busy.
    case waiting
    /// The watch has the offer of this link, and has not answered.
    case offered
    /// The watch has said that it has everything below this offset.
    case sending(upTo: Int)
    /// The watch has said that it has stored the file.
    case stored
    /// The watch does not take it, for this reason.
    case refused(FileReason)
    /// A program on the phone has cancelled it.
    case cancelled
    /// A frame of it did not fit, and ended the link. It is not offered again.
    case broken
}
