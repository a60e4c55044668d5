import WatchLink

/// Keeps the watch's data in flash: the journal, which is the log there, and a buffer for the next record.
///
/// Part of the journal's room is reserved for check-offs, so that none of them waits for an erase. The phone's messages wait in
/// the radio while only that part is left, and while a snapshot of the whole state is being written. `BankPace` may make that
/// last.
struct FlashStore: ~Copyable {
    private var journal: Journal
    /// Up to which of the watch's messages the journal records the phone's acknowledgement; nil before the journal has been
    /// read.
    private var keptAcknowledgement: UInt32?
    private var keptLosses = UnreadLosses()
    private var keptLastRecord = true
    private var pace = BankPace()
    private let buffer: FixedArray<UInt8>
    private let inPlace = InPlace()

    static var memorySize: Int { Journal.memorySize + WatchLimits.largestSDU }

    init(arena: inout MemoryArena) {
        journal = Journal(arena: &arena)
        buffer = arena.take(WatchLimits.largestSDU, of: 0)
    }

    /// Whether every record since the start is in flash.
    var keeps: Bool { keptLastRecord && journal.isMounted }

    var notice: StatusNotice {
        if !keeps { return .notStored }
        return journal.isGivenUp ? .flashFailing : .none
    }

    /// Reads the journal into `data`. Returns whether everything that was ever stored is there.
    @inline(never)
    mutating func mount(into data: inout WatchData, on board: inout some Board & ~Copyable) -> Bool {
        defer { (keptAcknowledgement, keptLosses) = (data.outbox.acknowledgedSequence, data.losses) }
        do throws(JournalError) {
            return try journal.mount(flash: &board, replay: &data).isComplete
        } catch {
            board.trace(.journalFailed(error, at: board.now))
            return false
        }
    }

    /// Writes a record and appends it to the journal, by default only into the room that is not reserved for check-offs.
    /// Returns whether it is in flash. If not, an error is traced, and the watch continues from memory.
    @inline(never)
    @discardableResult
    mutating func keep(
        _ record: DataRecord, room: JournalRoom = .unreserved, of data: inout WatchData,
        on board: inout some Board & ~Copyable
    ) -> Bool {
        // This is not a function of its own: one that is not generic crashes the optimiser of Swift 6.3.1 for armv7em.
        var memory = buffer
        var writer = CBORWriter(memory.mutableSpan)
        do throws(CBORError) {
            try data.write(record, &writer)
        } catch {
            preconditionFailure("a record of a few numbers, or of one datagram, has room")
        }
        do throws(JournalError) {
            let payload = buffer.slice(0..<writer.count)
            switch room {
            case .whole, .unreserved:
                guard room == .whole || journal.hasRoom(writer.count, beside: reserve(for: data)) else { throw .full }
                try journal.append(RecordKind(record.kind), payload.span, flash: &board)
            case .made:
                let reserve = reserve(for: data)
                try journal.appendWaiting(
                    RecordKind(record.kind), payload.span, reserving: reserve, flash: &board, client: &data)
            }
            keptLastRecord = true
            return true
        } catch {
            keptLastRecord = false
            board.trace(.journalFailed(error, at: board.now))
            return false
        }
    }

    /// Stores a message to the phone in flash, and then queues it. Returns its number. Nil if it cannot be stored, if the
    /// outbox is full, or if a reload request would take the room for check-offs. Then no number is used.
    @inline(never)
    mutating func issue(
        _ message: OutboxMessage, tap: TapNumber?, of data: inout WatchData, on board: inout some Board & ~Copyable
    ) -> UInt32? {
        guard let sequence = data.outbox.nextSequence else { return nil }
        let room: JournalRoom
        switch message {
        case .checkOff: room = .whole
        case .reload, .addition:
            guard hasRoom(for: data) else { return nil }
            room = .unreserved
        case .handler:
            guard hasRoomForHandler(beside: data) else { return nil }
            room = .unreserved
        }
        guard keep(.message(message, sequence: sequence), room: room, of: &data, on: &board) else { return nil }
        switch message {
        case .checkOff: pace.earn()
        case .reload, .addition, .handler: break
        }
        return data.outbox.append(message, tap: tap, origin: data.epoch)
    }

    /// Whether to take messages of the phone: the journal has room for them besides the reserve, and is not writing a snapshot,
    /// with which a record takes twice as long. If the journal cannot make room any more, no message waits for it.
    func takesMessages(for data: borrowing WatchData) -> Bool {
        if !journal.isMounted || journal.isGivenUp { return true }
        return hasRoom(for: data) && !journal.isWritingSnapshot
    }

    /// Whether the journal has room for any record besides the reserve. If not, upkeep makes room while the watch is idle.
    func hasRoom(for data: borrowing WatchData) -> Bool {
        journal.hasRoom(WatchLimits.largestSDU, beside: reserve(for: data))
    }

    /// Whether a handler may write a record of its own. When few saved erases are left, those are for the list.
    func hasRoomForHandler(beside data: borrowing WatchData) -> Bool { !pace.isScarce && hasRoom(for: data) }

    /// The most bytes of a check-off's record.
    private static var largestMessage: Int { 20 }

    /// The bytes to keep free: for each check-off that the outbox can still take, 28 bytes at most, and for a gap record and
    /// the rest of its page.
    private func reserve(for data: borrowing WatchData) -> Int {
        let left = WatchLimits.outbox - data.outbox.count
        return left * JournalFormat.stride(FlashStore.largestMessage) + JournalFormat.stride(JournalFormat.gapSize)
            + 256
    }

    /// Does one small step of the journal's upkeep. Returns whether there was one. The caller has stored all changes of the
    /// data, as a snapshot requires.
    @inline(never)
    mutating func maintain(_ data: inout WatchData, on board: inout some Board & ~Copyable) -> Bool {
        if keepPositions(of: &data, on: &board) { return true }
        let erasesNext = journal.erasesNext
        if erasesNext, !pace.allows(at: board.now) { return false }
        let step = journal.maintain(flash: &board, client: &data)
        if erasesNext, !journal.erasesNext { pace.spend() }
        switch step {
        case .again: return true
        case .idle, .waitingForErase: return false
        case .failed(let error):
            board.trace(.journalFailed(error, at: board.now))
            return false
        }
    }

    /// Once after each record, writes a gap record, with which the next start notices the loss of the newest record. Returns
    /// whether one was due. It uses none of the reserve, and no record is lost if it fails.
    @inline(never)
    mutating func attest(_ data: borrowing WatchData, on board: inout some Board & ~Copyable) -> Bool {
        guard journal.isAttestable, case .ready = board.flashActivity,
            journal.hasRoom(JournalFormat.gapSize, beside: reserve(for: data))
        else { return false }
        do throws(JournalError) {
            try journal.attest(flash: &board)
        } catch {
            board.trace(.journalFailed(error, at: board.now))
        }
        return true
    }

    /// When an erase that waits for its turn may begin; nil if none waits.
    var deadline: Instant? { journal.erasesNext ? pace.next : nil }

    /// Records that no message waits any more, and that the wearer has read of a loss.
    ///
    /// Single acknowledgements are not recorded, because the phone repeats them when it connects after a restart. Until then,
    /// the watch only shows more messages as waiting.
    private mutating func keepPositions(of data: inout WatchData, on board: inout some Board & ~Copyable) -> Bool {
        let acknowledged = data.outbox.acknowledgedSequence
        let isDue = data.outbox.isEmpty && acknowledged != keptAcknowledgement || data.losses != keptLosses
        guard isDue, hasRoom(for: data) else { return false }
        (keptAcknowledgement, keptLosses) = (acknowledged, data.losses)
        keep(.positions, of: &data, on: &board)
        return true
    }
}

enum JournalRoom: BitwiseCopyable {
    /// All room that is left. A check-off uses this, so that it never waits.
    case whole
    case unreserved
    /// As much room as the record needs. If only reserved room is left, the banks change first, which waits for erases. The
    /// start of the watch uses this, and stages for which no wearer waits.
    case made
}

/// Limits how often a bank of the journal, half of its flash, is erased for the phone's messages. An endless stream of messages
/// would otherwise wear out the chip. It allows sixteen erases after a start, one for each check-off, and one every eight
/// minutes.
///
/// If a sector lasts for 100,000 erases, and two banks have sixteen sectors, one erase in eight minutes lasts for three years.
/// A full list of 128 rows takes a sixth of a bank.
struct BankPace: BitwiseCopyable {
    static var mostSaved: UInt8 { 16 }
    static var interval: Microseconds { .seconds(480) }

    private var saved = BankPace.mostSaved
    /// When the time until the next erase began.
    private var since = Instant.start

    /// Whether only the last four erases are left, which are for the list. They last it for half an hour.
    var isScarce: Bool { saved < 4 }

    mutating func earn() {
        if saved < BankPace.mostSaved { saved &+= 1 }
    }

    mutating func allows(at now: Instant) -> Bool {
        while saved < BankPace.mostSaved, now >= since + BankPace.interval {
            saved &+= 1
            since = since + BankPace.interval
        }
        if saved == BankPace.mostSaved { since = now }
        return saved > 0
    }

    /// Counts an erase that begins. The caller has asked `allows`.
    mutating func spend() {
        if saved > 0 { saved &-= 1 }
    }

    /// When the next bank may be erased; nil if one may be erased now.
    var next: Instant? { saved > 0 ? nil : since + BankPace.interval }
}
