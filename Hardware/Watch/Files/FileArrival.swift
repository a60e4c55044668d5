import WatchLink

/// The file that is there.
struct StoredFile: BitwiseCopyable {
    let slot: FileSlot
    let header: FileHeaderPage
}

/// How far the file has come that arrives.
enum FileArrival: BitwiseCopyable {
    /// None arrives.
    case none
    /// A link or a start before this one has left a part.
    case kept(IncomingFile)
    /// The sectors of its slot are erased, `next` of them so far; its header is in memory.
    case erasing(IncomingFile, number: UInt32, next: Int)
    /// Its content comes.
    case receiving(IncomingFile, number: UInt32)
    /// All of it is in flash, and its SHA-256 is computed from there: `checked` bytes so far. The number is nil where the link on
    /// which it came is lost.
    case judging(IncomingFile, number: UInt32?, checked: Int)

    /// The number of the transfer on this link, nil for none.
    var number: UInt32? {
        switch self {
        case .none, .kept: nil
        case .erasing(_, let number, _), .receiving(_, let number): number
        case .judging(_, let number, _): number
        }
    }
}

/// A file that arrives.
struct IncomingFile: BitwiseCopyable {
    /// Where the content comes from.
    enum Origin: BitwiseCopyable {
        /// This link alone.
        case link
        /// An earlier one too: where the hash is wrong, that may be wrong.
        case kept
    }

    let slot: FileSlot
    let header: FileHeaderPage
    var origin: Origin
    /// Everything below this is in flash.
    var written = 0
    /// Chunks since the phone was told what is written.
    var unreported = 0

    var isWhole: Bool { written == header.length }
}
