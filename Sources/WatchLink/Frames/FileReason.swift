/// Why a file transfer ends before the file is stored.
///
/// It is a number with names and not an enum, because a peer of another version may have other reasons, which end the transfer all
/// the same.
public struct FileReason: RawRepresentable, Equatable, Sendable, BitwiseCopyable {
    /// The byte on the wire.
    public let rawValue: UInt8

    /// The value of this number, with or without a name.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Somebody on this side has ended it.
    public static var cancelled: FileReason { FileReason(rawValue: 0) }
    /// The receiver's disk is full.
    public static var noRoom: FileReason { FileReason(rawValue: 1) }
    /// The content that has arrived is not what was offered.
    public static var wrongHash: FileReason { FileReason(rawValue: 2) }
    /// Nobody receives files.
    public static var nobody: FileReason { FileReason(rawValue: 3) }
    /// The file is longer than the receiver takes.
    public static var tooLarge: FileReason { FileReason(rawValue: 4) }
    /// More transfers are under way than the receiver takes at once.
    public static var busy: FileReason { FileReason(rawValue: 5) }
    /// The side that says it cannot read or store the file.
    public static var failed: FileReason { FileReason(rawValue: 6) }
    /// The label is no file name.
    public static var badLabel: FileReason { FileReason(rawValue: 7) }
}
