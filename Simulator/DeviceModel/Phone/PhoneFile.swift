import HostSystem
import WatchLink
import Wormhole

/// A file that a program on a simulated phone sends to the watch.
public struct PhoneFile: Sendable, Equatable {
    /// The file's name: 1 to 255 bytes of UTF-8 that do not begin with a dot. It has no `/`, no control character, and no character
    /// that changes the text direction; otherwise the file is refused with `.badLabel`. The watch may accept only shorter names.
    public let label: String
    /// The bytes of the file.
    public let content: [UInt8]
    /// The number of the file's transfer, not 0. No two files of a phone have the same number.
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
    /// The phone has not offered the file: no watch is connected, the watch does not accept it now, or earlier files go first.
    case waiting
    /// The phone has offered the file, and the watch has not confirmed any bytes.
    case offered
    /// The watch has confirmed all bytes before this offset.
    case sending(upTo: Int)
    /// The watch has confirmed that it stored the file.
    case stored
    /// The watch has refused the file. If the label is invalid, the phone refuses the file itself, with `.badLabel`.
    case refused(FileReason)
    /// A program on the phone has cancelled the file.
    case cancelled
    /// The transfer has failed, for example because the watch takes no files. The phone does not offer the file again.
    case failed(MessageFailure)
}
