import WatchLink

/// Mounts a flash chip as a start of the watch does, for a report to people.
///
/// It is the journal's own mount, with the watch's own data, so the report and the watch cannot disagree. A mount formats a
/// chip that holds no log: examine a copy. The firmware does not contain this.
package struct FlashExamination: ~Copyable {
    private var arena: MemoryArena

    /// The bytes of memory that an examination needs.
    package static var memorySize: Int { Journal.memorySize + WatchData.memorySize + 256 }

    /// - Parameter memory: at least `memorySize` bytes, aligned to 16, for this alone.
    package init(memory: UnsafeMutableRawBufferPointer) {
        arena = MemoryArena(memory)
    }

    /// Mounts `flash`, passing what is read to `observer`.
    ///
    /// - Throws: `.flash` or `.unsuitableGeometry`.
    package consuming func examine<Observer: FlashObserver>(
        _ flash: inout some NORFlash & ~Copyable, for observer: Observer
    ) throws(JournalError) -> (findings: FlashFindings, observer: Observer) {
        var journal = Journal(arena: &arena)
        var client = ObservedData(data: WatchData(arena: &arena), observer: observer)
        let report = try journal.mount(flash: &flash, replay: &client)
        client.passWaiting()
        let findings = FlashFindings(
            report: report, end: journal.active?.end ?? 0, bankSize: journal.layout.bankSize, data: client.data)
        return (findings, client.observer)
    }
}

/// A program that wants to know what is in a flash chip.
package protocol FlashObserver {
    /// An item is on the list after a record. It is called for every item after every record.
    mutating func sawItem(_ id: ItemID, _ title: ItemTitle)

    /// A message to the phone waits, after the last record. They come in the order of sending.
    mutating func sawWaiting(_ message: WaitingMessage)
}

/// A message that the phone has not acknowledged, as far as the flash knows.
package enum WaitingMessage: Sendable, BitwiseCopyable {
    /// An item was checked off.
    case checkOff(ItemID)
    /// A past item was added back.
    case addition(ItemID)
    /// The whole list is asked for.
    case reload
    /// A message of the handler's own.
    case handler
}

/// What a start of the watch finds in a flash chip.
package struct FlashFindings: Sendable {
    /// Where the watch's data come from.
    package enum Origin: Sendable, Equatable {
        /// The chip is empty: a new watch.
        case blank
        /// A log.
        case log(generation: UInt32)
        /// There is something, but no log.
        case unreadable
        /// The newest log is of a newer version.
        case newerFormat(version: UInt8)
    }

    package let origin: Origin
    /// The bytes that the log takes of its half of the chip.
    package let end: Int
    /// The bytes of half of the chip.
    package let bankSize: Int
    /// Decayed stretches of the log, each of one or more lost records.
    package let damaged: Int
    /// Records whose checks are right and whose contents are not.
    package let unreadable: Int
    /// Whether everything that was ever kept is there.
    package let isComplete: Bool
    /// The number of the watch, nil if none is stored.
    package let identity: UInt64?
    /// The list's name.
    package let listName: ItemTitle
    /// The number of rows that the watch would show.
    package let rows: Int
    /// Items that are not checked off, with those beyond the watch.
    package let remaining: UInt32

    init(report: MountReport, end: Int, bankSize: Int, data: borrowing WatchData) {
        origin =
            switch report.origin {
            case .blank: .blank
            case .bank(let generation): .log(generation: generation)
            case .unreadable: .unreadable
            case .newerFormat(let version): .newerFormat(version: version)
            }
        self.end = end
        self.bankSize = bankSize
        damaged = report.damaged
        unreadable = report.unreadable
        isComplete = report.isComplete
        identity =
            switch data.identity {
            case .unknown: nil
            case .known(let identity, _): identity
            }
        listName = data.title
        rows = data.items.count
        remaining = data.remaining
    }
}

/// The watch's data, and the observer of everything that is read into it.
private struct ObservedData<Observer: FlashObserver>: JournalClient, ~Copyable {
    var data: WatchData
    var observer: Observer

    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome {
        let outcome = data.replay(kind, payload: payload)
        for row in 0..<data.items.count { observer.sawItem(data.items[row].id, data.items[row].title) }
        return outcome
    }

    /// Nothing is written: a mount makes no snapshot.
    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord? { nil }

    /// Passes on the messages that wait after the last record.
    mutating func passWaiting() {
        var sequence = data.outbox.acknowledgedSequence
        for _ in 0..<data.outbox.count {
            sequence &+= 1
            switch data.outbox.message(sequence)?.message {
            case .checkOff(let item, _): observer.sawWaiting(.checkOff(item))
            case .addition(let item, _): observer.sawWaiting(.addition(item))
            case .reload: observer.sawWaiting(.reload)
            case .handler: observer.sawWaiting(.handler)
            case nil: break
            }
        }
    }
}
