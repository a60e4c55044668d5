/// Where the journal's contents came from.
public enum MountOrigin: Sendable, Equatable, BitwiseCopyable {
    /// The chip was empty: a new watch.
    case blank
    /// A bank was read back. Generations count the banks written since the chip was new, from 1.
    case bank(generation: UInt32)
    /// The chip held something, but no bank that was ever committed. It starts empty.
    case unreadable
    /// The newest bank has a layout that only a newer version knows. It starts empty and the bank is given up, because an
    /// older bank beside it would bring back sequence numbers that have been used since.
    case newerFormat(version: UInt8)
}

/// How the log that was read back ended.
public enum MountTail: Sendable, Equatable, BitwiseCopyable {
    /// After the last record nothing was ever written.
    case clean
    /// Something was being written when the power failed, or the last record has decayed; the two look alike. New records
    /// go behind it, from the next untouched page on.
    case torn(bytes: Int)
}

/// What `mount` found.
public struct MountReport: Sendable, Equatable, BitwiseCopyable {
    /// Where the contents came from.
    public internal(set) var origin: MountOrigin
    /// How the log ended.
    public internal(set) var tail: MountTail = .clean
    /// Records handed to the client that it applied.
    public internal(set) var applied = 0
    /// Records of kinds that the client does not know. They are dropped with the next change of banks.
    public internal(set) var unknown = 0
    /// Records with a valid checksum whose contents the client could not read.
    public internal(set) var unreadable = 0
    /// Stretches of the log, each of one or more records, that have decayed and are lost. Records behind them were found.
    public internal(set) var damaged = 0

    init(origin: MountOrigin) {
        self.origin = origin
    }

    /// Whether everything that was ever appended may be relied on to be there. If not, what the phone believes that this
    /// watch has may be wrong: forget how much of the phone's streams was applied and start a new epoch.
    public var isComplete: Bool {
        switch origin {
        case .blank, .bank: damaged == 0 && unreadable == 0
        case .unreadable, .newerFormat: false
        }
    }
}
