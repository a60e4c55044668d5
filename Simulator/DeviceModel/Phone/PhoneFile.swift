import HostSystem
import WatchLink

/// A file that a program on a simulated phone sends to the watch.
public struct PhoneFile: Sendable, Equatable {
    /// The file's name: 1 to 255 bytes of UTF-8. The watch may accept only shorter names.
    public let label: String
    /// The bytes of the file.
    public let content: [UInt8]
    /// The transfer number, not 0. Each offer of this file has the same number on every link.
    public let transfer: UInt64
    /// The SHA-256 of the content.
    package let hash: [UInt8]

    /// Creates a file. Traps if `transfer` is 0.
    public init(label: String, content: [UInt8], transfer: UInt64) {
        precondition(transfer != 0, "no transfer is 0")
        self.label = label
        self.content = content
        self.transfer = transfer
        hash = SHA256.digest(of: content)
    }
}

/// The progress of a file that a simulated phone sends.
public enum PhoneFileState: Sendable, Equatable {
    /// The phone will offer the file: on the next link, after earlier files, or again after the watch was busy.
    case waiting
    /// The phone has offered the file on this link, and the watch has not answered.
    case offered
    /// The watch has confirmed all bytes before this offset.
    case sending(upTo: Int)
    /// The watch has confirmed that it stored the file.
    case stored
    /// The watch has refused the file for this reason.
    case refused(FileReason)
    /// A program on the phone has cancelled the file.
    case cancelled
    /// A frame of the file was too large, which ended the link. The phone does not offer the file again.
    case broken
}
