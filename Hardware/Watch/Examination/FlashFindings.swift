import WatchLink

/// What a start of the watch finds in a flash chip.
package struct FlashFindings: Sendable {
    /// Where the watch's data come from.
    package enum Origin: Sendable {
        /// The chip is empty: a new watch.
        case blank
        /// The log in one of the banks, from 0.
        case log(bank: Int, generation: UInt32)
        /// There is something, but no log.
        case unreadable
        /// The newest log is of a newer version.
        case newerFormat(version: UInt8)
    }

    /// Who the watch is, and which stream its messages belong to.
    package struct Identity: Sendable {
        package var identity: UInt64
        package var epoch: UInt32
    }

    /// The two halves of the chip, as they were before.
    package let banks: (BankFindings, BankFindings)
    package let origin: Origin
    /// The offset in the bank of the first record.
    package let firstRecord: Int
    /// The offset in the bank where the next record goes.
    package let end: Int
    package let bankSize: Int
    /// Records of which one bit has decayed: they are read as if it had not.
    package let repaired: Int
    /// Decayed stretches of the log.
    package let damaged: Int
    /// The bytes at the end of the log that an interrupted write has left; 0 for none.
    package let tornBytes: Int
    /// Whether everything that was ever kept is there.
    package enum Completeness: Sendable {
        case complete
        /// Records are lost.
        case lossy
    }

    package let completeness: Completeness
    /// Nil where nothing is stored.
    package let identity: Identity?
    /// The list's name.
    package let listName: ItemTitle
    /// Items that are not checked off, with those beyond the watch.
    package let remaining: UInt32

    /// Whether everything that was ever kept is there.
    package var isComplete: Bool {
        switch completeness {
        case .complete: true
        case .lossy: false
        }
    }

    init(
        banks: (BankFindings, BankFindings), report: MountReport, active: ActiveBank?, bankSize: Int,
        data: borrowing WatchData
    ) {
        self.banks = banks
        origin =
            switch report.origin {
            case .blank: .blank
            case .bank(let generation): .log(bank: active?.index.rawValue ?? 0, generation: generation)
            case .unreadable: .unreadable
            case .newerFormat(let version): .newerFormat(version: version)
            }
        firstRecord = JournalFormat.recordsOffset
        end = active?.end ?? 0
        self.bankSize = bankSize
        repaired = report.repaired
        damaged = report.damaged
        tornBytes =
            switch report.tail {
            case .clean: 0
            case .torn(let bytes): bytes
            }
        completeness = report.isComplete ? .complete : .lossy
        identity =
            switch data.identity {
            case .unknown: nil
            case .known(let identity, let epoch): Identity(identity: identity, epoch: epoch)
            }
        listName = data.title
        remaining = data.remaining
    }
}

/// One half of the chip.
package enum BankFindings: Sendable, BitwiseCopyable {
    /// Never used, being erased, or an unfinished snapshot.
    case unusable
    /// Erased, and ready for the next snapshot.
    case prepared
    /// A log.
    case log(version: UInt8, generation: UInt32)

    init(_ contents: BankContents) {
        switch contents {
        case .unusable: self = .unusable
        case .prepared: self = .prepared
        case .committed(let bank): self = .log(version: bank.version, generation: bank.generation)
        }
    }
}
