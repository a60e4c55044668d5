import WatchLink

/// Keeps the watch's data in flash: the journal, and a buffer for the next record.
///
/// Part of the journal's room is reserved for check-offs, which never wait for an erase. The phone's messages wait in the radio
/// while only reserved room is left, and while a snapshot of the whole state is written.
struct FlashStore: ~Copyable {
    private var journal: Journal
    /// The last acknowledged sequence that the journal has; nil before the journal has been read.
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

    var keeps: Bool { keptLastRecord && journal.isMounted }

    var notice: StatusNotice {
        if !keeps { return .notStored }
        return journal.isGivenUp ? .flashFailing : .none
    }

    /// Reads the journal. Returns whether no stored record is missing.
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

    /// Stores a record in flash. Returns whether that succeeded. If not, traces an error, and the watch continues from memory.
    @inline(never)
    @discardableResult
    mutating func keep(
        _ record: DataRecord, room: JournalRoom = .unreserved, of data: inout WatchData,
        on board: inout some Board & ~Copyable
    ) -> Bool {
        // This code cannot move to a function that is not generic: the optimiser of Swift 6.3.1 for armv7em would crash.
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

    /// Stores a message to the phone in flash, and then queues it. Returns its number. Returns nil, and uses no number, if the
    /// outbox is full, if flash fails, or if only room for check-offs is left and this is no check-off.
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

    /// Whether to take messages from the phone. They wait for room, and for the end of a snapshot, during which a record takes
    /// twice as long. If the journal can never make room again, nothing waits.
    func takesMessages(for data: borrowing WatchData) -> Bool {
        if !journal.isMounted || journal.isGivenUp { return true }
        return hasRoom(for: data) && !journal.isWritingSnapshot
    }

    /// Whether there is room for the longest record besides the reserve. Upkeep makes room while the watch is idle.
    func hasRoom(for data: borrowing WatchData) -> Bool {
        journal.hasRoom(WatchLimits.largestSDU, beside: reserve(for: data))
    }

    /// Whether a handler's message may be stored. The last few erases that `BankPace` allows are kept for the list.
    func hasRoomForHandler(beside data: borrowing WatchData) -> Bool { !pace.isScarce && hasRoom(for: data) }

    private static var largestMessage: Int { 20 }

    /// The reserve in bytes: 32 for each check-off that the outbox can still take, plus a gap record and the rest of its page.
    private func reserve(for data: borrowing WatchData) -> Int {
        let left = WatchLimits.outbox - data.outbox.count
        return left * JournalFormat.stride(FlashStore.largestMessage) + JournalFormat.stride(JournalFormat.gapSize)
            + 256
    }

    /// Does one step of upkeep. Returns whether another step may follow at once. The caller must have stored all changes of the
    /// data, because the step may write a snapshot.
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

    /// Writes a gap record after the newest record, so that the next start notices if the newest record is lost. Returns
    /// whether a gap record was due. The gap record uses none of the reserve.
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

    /// The time from which a waiting erase may begin. Nil if no erase waits.
    var deadline: Instant? { journal.erasesNext ? pace.next : nil }

    /// Stores the link's positions and the unread losses if the last waiting message was acknowledged, or if the losses have
    /// changed. Returns whether this was due.
    ///
    /// This stores no other acknowledgement. After a restart, the watch shows too many messages as waiting, until the phone
    /// connects and repeats the acknowledgement.
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
    /// All room, including the reserve. A check-off uses this, so that it never waits.
    case whole
    case unreserved
    /// The same room as `unreserved`. If it is used up, the journal first changes banks, which waits for erases. Work that the
    /// wearer waits for must not use this.
    case made
}

/// Limits how often a bank, half of the journal's flash, is erased. The watch saves up to sixteen erases. It has sixteen at the
/// start, and earns one with each check-off and every eight minutes.
///
/// With this limit, two banks survive three years of an endless stream of messages if each sector survives 100,000 erases. A
/// full list of 128 items takes a sixth of a bank of eight sectors.
struct BankPace: BitwiseCopyable {
    static var mostSaved: UInt8 { 16 }
    static var interval: Microseconds { .seconds(480) }

    private var saved = BankPace.mostSaved
    /// The watch earns the next erase `interval` after this time.
    private var since = Instant.start

    /// Whether few erases are saved. The handler then stores no messages of its own, so that the last erases stay for the list.
    /// Without a check-off, the watch earns four erases in half an hour.
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

    /// Uses up one saved erase. The caller must have checked `allows`.
    mutating func spend() {
        if saved > 0 { saved &-= 1 }
    }

    /// The time from which a bank may be erased. Nil if that is now.
    var next: Instant? { saved > 0 ? nil : since + BankPace.interval }
}
