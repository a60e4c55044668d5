import WatchLink

/// What a start of the watch makes of a flash chip, for a report to people.
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
        journal.layout = try BankLayout(flash.flashGeometry)
        let banks = (try journal.contents(of: .first, flash: &flash), try journal.contents(of: .second, flash: &flash))
        let report = try journal.mount(flash: &flash, replay: &client)
        client.finish()
        let findings = FlashFindings(
            banks: (BankFindings(banks.0), BankFindings(banks.1)), report: report, active: journal.active,
            bankSize: journal.layout.bankSize, data: client.data)
        return (findings, client.observer)
    }
}

/// Whoever wants to know what is in a flash chip.
package protocol FlashObserver {
    /// A record was read.
    ///
    /// - Parameters:
    ///   - kind: its number.
    ///   - name: what it holds, in a few words; nil for a kind that this version does not know.
    ///   - size: the bytes that it takes on the chip.
    ///   - reading: whether the watch could use it.
    mutating func sawRecord(_ kind: UInt8, named name: StaticString?, size: Int, _ reading: RecordReading)

    /// A record of the journal's own was read: what follows the record before may be the remains of an interrupted write.
    ///
    /// - Parameter size: the bytes that it takes on the chip.
    mutating func sawGap(size: Int)

    /// An item is on the list after a record. It is called for every item after every record.
    mutating func sawItem(_ id: ItemID, _ title: ItemTitle)

    /// An item is on the list that the watch would show, after the last record. They come in the order of the rows.
    mutating func sawRow(_ id: ItemID, _ title: ItemTitle)

    /// A message to the phone waits, after the last record. They come in the order of sending.
    mutating func sawWaiting(_ message: WaitingMessage)
}

/// What the watch could do with a record.
package enum RecordReading: Sendable, BitwiseCopyable {
    case applied
    /// A newer version wrote it.
    case unknownKind
    /// Its checks are right and its contents are not.
    case unreadable
}

/// A message that the phone has not acknowledged, as far as the flash knows.
package enum WaitingMessage: Sendable, BitwiseCopyable {
    /// An item was checked off.
    case checkOff(ItemID, sequence: UInt32)
    /// A past item was added back.
    case addition(ItemID, sequence: UInt32)
    /// The whole list is asked for.
    case reload(sequence: UInt32)
    /// A message of the handler's own.
    case handler(sequence: UInt32)
}

/// The watch's data, and the observer of everything that is read into it.
private struct ObservedData<Observer: FlashObserver>: JournalClient, ~Copyable {
    var data: WatchData
    var observer: Observer

    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome {
        let outcome = data.replay(kind, payload: payload)
        let size = JournalFormat.stride(payload.count)
        let reading: RecordReading =
            switch outcome {
            case .applied: .applied
            case .unknownKind: .unknownKind
            case .unreadable: .unreadable
            }
        observer.sawRecord(kind.rawValue, named: kind.examinedName, size: size, reading)
        for row in 0..<data.items.count { observer.sawItem(data.items[row].id, data.items[row].title) }
        return outcome
    }

    mutating func passGap() { observer.sawGap(size: JournalFormat.stride(JournalFormat.gapSize)) }

    /// Nothing is written: a mount makes no snapshot.
    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord? { nil }

    /// Passes on what the watch has after the last record.
    mutating func finish() {
        for row in 0..<data.items.count { observer.sawRow(data.items[row].id, data.items[row].title) }
        var sequence = data.outbox.acknowledgedSequence
        for _ in 0..<data.outbox.count {
            sequence &+= 1
            switch data.outbox.message(sequence)?.message {
            case .checkOff(let item, _): observer.sawWaiting(.checkOff(item, sequence: sequence))
            case .addition(let item, _): observer.sawWaiting(.addition(item, sequence: sequence))
            case .reload: observer.sawWaiting(.reload(sequence: sequence))
            case .handler: observer.sawWaiting(.handler(sequence: sequence))
            case nil: break
            }
        }
    }
}

extension RecordKind {
    /// What a record of this kind holds, nil for one that this version does not know.
    fileprivate var examinedName: StaticString? {
        switch self {
        case .listChanges: "list changes"
        case .checkOff: "check-offs"
        case .positions: "positions"
        case .identity: "identities"
        case .title: "titles"
        case .timeLine: "time lines"
        case .bond: "bonds"
        case .item: "items"
        case .reloadRequest: "reload requests"
        case .sortingOrder: "sorting orders"
        case .timelineEntry: "time-line entries"
        case .listName: "list names"
        case .checkOffOfEpoch: "check-offs with the run that made them"
        case .reloadRequestOfEpoch: "reload requests with the run that made them"
        case .phoneChange: "changes of the phone"
        case .handlerValue: "values of the handler's own"
        case .handlerMessage: "messages of the handler's own"
        case .arrival, .waitingArrival: "messages for the handler"
        case .taken: "receipts of the handler"
        case .settings: "settings"
        case .pastItems, .pastItem: "past items"
        case .addition: "additions"
        default: nil
        }
    }
}
