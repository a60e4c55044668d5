import WatchLink

/// Stores the watch's data in the journal in flash, record by record.
///
/// Part of the journal is reserved for check-offs, so that they never wait for an erase. While only this part is free, the
/// watch leaves the phone's messages in the radio. It also does this while the journal writes a snapshot of all data.
struct FlashStore: ~Copyable {
    private var journal: Journal
    /// The newest sequence number that the phone has acknowledged, as last stored in the journal. Nil before the journal is
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

    var keeps: Bool { keptLastRecord && journal.isMounted }

    var notice: StatusNotice {
        if !keeps { return .notStored }
        return journal.isGivenUp ? .flashFailing : .none
    }

    /// Reads the journal into `data`. Returns false if a stored record is missing, or if the journal cannot be read.
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

    /// Stores a record in flash. Returns whether that succeeded. If not, traces an error, and the watch keeps working with the
    /// data in memory.
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

    /// Stores a message to the phone in flash, and then queues it. Returns its sequence number. Returns nil, and uses no
    /// number, if the outbox is full or if the message cannot be stored. Only a check-off may use the reserved room. A
    /// handler's message needs `hasRoomForHandler`.
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

    /// Whether to take the phone's messages now. The messages wait while the journal lacks room or writes a snapshot. If the
    /// journal is not mounted or has given up, waiting would not help, so the watch takes the messages.
    func takesMessages(for data: borrowing WatchData) -> Bool {
        if !journal.isMounted || journal.isGivenUp { return true }
        return hasRoom(for: data) && !journal.isWritingSnapshot
    }

    /// Whether the journal has room for the longest record besides the reserve. `maintain` makes room while the watch is idle.
    func hasRoom(for data: borrowing WatchData) -> Bool {
        journal.hasRoom(WatchLimits.largestSDU, beside: reserve(for: data))
    }

    /// Whether a handler's message may be stored. If `BankPace` has few erases left, they are reserved for the list.
    func hasRoomForHandler(beside data: borrowing WatchData) -> Bool { !pace.isScarce && hasRoom(for: data) }

    private static var largestMessage: Int { 20 }

    /// The reserve in bytes: 32 for each check-off that the outbox can still take, 16 for a gap record, and 256 for the page
    /// that a failed write may waste.
    private func reserve(for data: borrowing WatchData) -> Int {
        let left = WatchLimits.outbox - data.outbox.count
        return left * JournalFormat.stride(FlashStore.largestMessage) + JournalFormat.stride(JournalFormat.gapSize)
            + 256
    }

    /// Does one step of the journal's upkeep. Returns whether another step may follow at once. The caller must have stored all
    /// changes of the data, because the step may write a snapshot.
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

    /// Writes a gap record (see JournalFormat.swift) after the newest record, so that the next start notices if the newest
    /// record is lost. Returns false if none is needed, if the chip is busy, or if only the reserve is free.
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

    /// The time from which `pace` allows the waiting erase. Nil if no erase waits, or if it may begin now.
    var deadline: Instant? { journal.erasesNext ? pace.next : nil }

    /// Stores the link's positions and the unread losses if the phone has just acknowledged all messages, or if the losses have
    /// changed. Returns false if neither has happened, or if the journal lacks room.
    ///
    /// No other acknowledgement is stored. After a restart, the watch may therefore show delivered messages as waiting, until
    /// the phone connects and repeats its acknowledgement.
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

/// A budget that limits how often the watch erases a bank (half of the journal's flash) or a slot for a file. Banks and slots
/// have separate budgets. A budget has at most sixteen erases, and has all of them at the start. It earns one every eight
/// minutes. The budget for banks also earns one with each check-off.
///
/// With this limit, two banks survive three years of an endless stream of messages if each sector survives 100,000 erases.
struct BankPace: BitwiseCopyable {
    static var mostSaved: UInt8 { 16 }
    static var interval: Microseconds { .seconds(480) }

    private var saved = BankPace.mostSaved
    /// The start of the interval at whose end the watch earns an erase.
    private var since = Instant.start

    /// Whether fewer than four erases are left. The watch then stores no messages of the handler, because the list may need
    /// these erases. Without check-offs, the watch earns four erases in 32 minutes.
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
