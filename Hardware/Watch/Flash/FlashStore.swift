import WatchLink

/// The watch's data in flash: the journal, and the buffer for a record before it is appended.
///
/// Part of the journal's room is reserved for check-offs, so that none of them waits for an erase. Messages of the
/// phone wait in the radio while only that part is left, which may last because of `BankPace`, and while a snapshot is
/// being written.
struct FlashStore: ~Copyable {
    private var journal: Journal
    /// The sequence up to which the journal records the phone's acknowledgements, nil before it has been read.
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

    /// Whether every record since the start was kept.
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

    /// Writes a record and appends it, by default within the room that is not reserved for check-offs. Returns whether
    /// it is kept. An error is traced, and the watch continues from memory.
    @inline(never)
    @discardableResult
    mutating func keep(
        _ record: DataRecord, room: JournalRoom = .unreserved, of data: inout WatchData,
        on board: inout some Board & ~Copyable
    ) -> Bool {
        // As a separate function that is not generic, this crashes the optimiser of Swift 6.3.1 for armv7em.
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

    /// Stores a message to the phone and, once it is durable, queues it. Returns its sequence. Returns nil, and uses no number,
    /// if it cannot be stored, if the outbox is full, or if a reload would take the room of check-offs.
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

    /// Whether to take messages of the phone: the journal has room for them beside the reserve, and no snapshot is being written,
    /// which would double the time of a record. A journal that cannot make room delays no message: the watch then continues from
    /// memory.
    func takesMessages(for data: borrowing WatchData) -> Bool {
        if !journal.isMounted || journal.isGivenUp { return true }
        return hasRoom(for: data) && !journal.isWritingSnapshot
    }

    /// Whether the journal has room for any record beside the reserve. If not, upkeep makes room while the watch is
    /// idle.
    func hasRoom(for data: borrowing WatchData) -> Bool {
        journal.hasRoom(WatchLimits.largestSDU, beside: reserve(for: data))
    }

    /// Whether a handler may write its own record: the last saved erases are for the list.
    func hasRoomForHandler(beside data: borrowing WatchData) -> Bool { !pace.isScarce && hasRoom(for: data) }

    /// In bytes.
    private static var largestMessage: Int { 20 }

    /// Room for the check-offs that the outbox still takes, each 28 bytes at most, and for a gap with the rest of its
    /// page.
    private func reserve(for data: borrowing WatchData) -> Int {
        let left = WatchLimits.outbox - data.outbox.count
        return left * JournalFormat.stride(FlashStore.largestMessage) + JournalFormat.stride(JournalFormat.gapSize)
            + 256
    }

    /// Does one small step of the journal's upkeep. Returns whether there was one. Every change of the data must be in
    /// flash, as a snapshot requires.
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

    /// Makes sure, once for each record, that the next start notices the loss of the newest one. Returns whether there
    /// was anything to do. It takes none of the reserve, and if it fails, no kept record is lost.
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

    /// When an erase that waits for its turn may begin.
    var deadline: Instant? { journal.erasesNext ? pace.next : nil }

    /// Records that no message waits any more, and that the wearer has read of a loss. Single acknowledgements are not
    /// recorded, because the phone's hello repeats them after a restart; until then the watch would only show messages
    /// as waiting.
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
    /// All that is left: for a check-off, which never waits.
    case whole
    case unreserved
    /// As much as is needed. If it is reserved, the banks are changed first, which waits for erases. For the start of
    /// the watch, and for stages that no wearer waits for.
    case made
}

/// Limits how often the journal erases a bank for the phone's messages, so that an endless stream does not wear out the chip. It
/// allows sixteen erases after a start, one for each check-off, and one every eight minutes.
///
/// With 100,000 erases of a sector and sixteen sectors in two banks, the eight minutes alone take three years. A full
/// list of 128 rows takes a sixth of a bank.
struct BankPace: BitwiseCopyable {
    static var mostSaved: UInt8 { 16 }
    static var interval: Microseconds { .seconds(480) }

    private var saved = BankPace.mostSaved
    /// When the time for the next erase began to count.
    private var since = Instant.start

    /// The last four erases are for the list; they hold it up for half an hour.
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

    /// A bank is being erased: `allows` was true.
    mutating func spend() {
        if saved > 0 { saved &-= 1 }
    }

    /// Nil if a bank may be erased at once.
    var next: Instant? { saved > 0 ? nil : since + BankPace.interval }
}
