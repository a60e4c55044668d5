/// The source of the journal's contents.
enum MountOrigin: Equatable, BitwiseCopyable {
    /// The chip was empty: a new watch.
    case blank
    /// A bank was read back. Generations count the banks written since the chip was new, from 1.
    case bank(generation: UInt32)
    /// The chip held something but no committed bank, or one that holds nothing, beside another that was given up for it.
    /// The journal starts empty.
    case unreadable
    /// The newest bank has a layout of a newer version. The journal starts empty, because an older bank would bring
    /// back sequence numbers that have been used since.
    case newerFormat(version: UInt8)
}

/// The end of the log that was read back.
enum MountTail: Equatable, BitwiseCopyable {
    /// Nothing was ever written after the last record.
    case clean
    /// The power failed during a write, or more than a bit of the last record has decayed; the two look alike. New
    /// records go to the next untouched page.
    case torn(bytes: Int)
}

struct MountReport: Equatable, BitwiseCopyable {
    var origin: MountOrigin
    var tail: MountTail = .clean
    /// Records that the client applied.
    var applied = 0
    /// Records of kinds that the client does not know. The next change of banks drops them.
    var unknown = 0
    /// Records with a valid checksum that the client could not read.
    var unreadable = 0
    /// Records of which one bit had decayed, which was put right, and 1 for such a bit in the bank's header or commit word. The
    /// next change of banks writes them anew.
    var repaired = 0
    /// Decayed stretches of the log, each of one or more lost records. The records behind them were found.
    var damaged = 0

    /// Whether the log holds nothing.
    var isEmpty: Bool { applied + unknown + unreadable + damaged == 0 }

    /// Whether everything that was ever appended is there. If not, the phone may believe that the watch has what it has
    /// lost: the watch then has to forget what it applied of the phone's streams and to begin a new epoch.
    var isComplete: Bool {
        switch origin {
        case .blank, .bank: damaged == 0 && unreadable == 0
        case .unreadable, .newerFormat: false
        }
    }
}
