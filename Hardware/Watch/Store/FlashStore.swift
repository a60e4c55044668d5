import WatchLink

/// A message to the phone that has been stored.
enum KeptMessage: BitwiseCopyable {
    /// The message of this sequence is in flash and may be sent.
    case kept(UInt32, tap: TapNumber?)
    /// The message never came back from the journal, and there is nothing to store.
    case withdrawn
}

/// The watch's data in flash: the journal, and the buffer for a record before it is appended.
struct FlashStore: ~Copyable {
    private var journal: Journal
    /// The sequence up to which the journal records the phone's acknowledgements, nil before it has been read.
    private var keptAcknowledgement: UInt32?
    private let buffer: FixedArray<UInt8>
    private let inPlace = InPlace()

    static var memorySize: Int { Journal.memorySize + WatchLimits.largestSDU }

    init(arena: inout MemoryArena) {
        journal = Journal(arena: &arena)
        buffer = arena.take(WatchLimits.largestSDU, of: 0)
    }

    /// Reads the journal into `data`. Returns whether everything that was ever stored is there.
    @inline(never)
    mutating func mount(into data: inout WatchData, on board: inout some Board & ~Copyable) -> Bool {
        defer { keptAcknowledgement = data.outbox.acknowledgedSequence }
        do throws(JournalError) {
            return try journal.mount(flash: &board, replay: &data).isComplete
        } catch {
            board.trace(.journalFailed(error, at: board.now))
            return false
        }
    }

    /// Writes a record and appends it; waits for a busy flash chip. An error is traced, and the watch continues from
    /// memory.
    @inline(never)
    mutating func keep(_ record: DataRecord, of data: inout WatchData, on board: inout some Board & ~Copyable) {
        // In a function of its own that is not generic, this crashes the optimiser of Swift 6.3.1 for armv7em.
        var memory = buffer
        var writer = CBORWriter(memory.mutableSpan)
        do throws(CBORError) {
            try data.write(record, &writer)
        } catch {
            preconditionFailure("a record of a few numbers, or of one datagram, has room")
        }
        do throws(JournalError) {
            let payload = buffer.slice(0..<writer.count)
            _ = try journal.appendWaiting(record.kind, payload.span, flash: &board, client: &data)
        } catch {
            board.trace(.journalFailed(error, at: board.now))
        }
    }

    /// Stores the oldest message to the phone that is not in flash yet. Returns nil where there is none, and while a
    /// sector is being erased: the messages then stay in memory.
    @inline(never)
    mutating func keepNextMessage(of data: inout WatchData, on board: inout some Board & ~Copyable) -> KeptMessage? {
        guard let sequence = data.outbox.nextToKeep, board.flashActivity == .ready else { return nil }
        guard let entry = data.outbox.message(sequence) else {
            data.outbox.markKept(sequence)
            return .withdrawn
        }
        keep(.message(entry.message, sequence: sequence), of: &data, on: &board)
        data.outbox.markKept(sequence)
        return .kept(sequence, tap: entry.tap)
    }

    /// Does one small step of the journal's upkeep. Returns whether there was anything to do.
    ///
    /// Call it while every change of the data is in flash, as a snapshot requires.
    @inline(never)
    mutating func maintain(_ data: inout WatchData, on board: inout some Board & ~Copyable) -> Bool {
        if keepAcknowledgements(of: &data, on: &board) { return true }
        switch journal.maintain(flash: &board, client: &data) {
        case .again: return true
        case .idle, .waitingForErase: return false
        case .failed(let error):
            board.trace(.journalFailed(error, at: board.now))
            return false
        }
    }

    /// Records that no message waits any more. Single acknowledgements are not recorded, because the phone's hello has
    /// them after a restart; until then the watch would only show messages as waiting.
    private mutating func keepAcknowledgements(
        of data: inout WatchData, on board: inout some Board & ~Copyable
    ) -> Bool {
        let acknowledged = data.outbox.acknowledgedSequence
        guard data.outbox.isEmpty, acknowledged != keptAcknowledgement, board.flashActivity == .ready else {
            return false
        }
        keptAcknowledgement = acknowledged
        keep(.positions, of: &data, on: &board)
        return true
    }
}
