import HostSystem
import WatchLink

/// A file that a program on a simulated phone sends to its watch.
public struct PhoneFile: Sendable, Equatable {
    /// The name: 1 to 255 bytes of UTF-8. A watch may accept only shorter names.
    public let label: String
    /// Its bytes.
    public let content: [UInt8]
    /// The number of its offer on every link, not 0.
    public let transfer: UInt64
    /// The hash in the offer: 32 bytes, by default the SHA-256 of the content.
    public var hash: [UInt8]
    /// The program's metadata for the file: one CBOR item, or empty.
    public var metadata: [UInt8] = []

    /// A file with the SHA-256 of its content. Traps if `transfer` is 0, which is not a valid number.
    public init(label: String, content: [UInt8], transfer: UInt64) {
        precondition(transfer != 0, "no transfer is 0")
        self.label = label
        self.content = content
        self.transfer = transfer
        hash = SHA256.digest(of: content)
    }
}

/// The state of a file of a simulated phone.
public enum PhoneFileState: Sendable, Equatable {
    /// The phone is to offer it: on the next link, after earlier files, or again to a watch that was busy.
    case waiting
    /// The watch has the offer of this link, and has not answered yet.
    case offered
    /// The watch has confirmed everything below this offset.
    case sending(upTo: Int)
    /// The watch has confirmed that it has stored the file.
    case stored
    /// The watch has refused it for this reason.
    case refused(FileReason)
    /// A program on the phone has cancelled it.
    case cancelled
    /// A frame of it did not fit, and ended the link. The phone does not offer it again.
    case broken
}
