import WatchLink

/// What the watch keeps in flash: the journal, and the buffer in which a record is written before it is appended.
struct FlashStore: ~Copyable {
    /// Up to which of the watch's messages the journal says that the phone has acknowledged.
    private enum KeptAcknowledgement: Equatable, BitwiseCopyable {
        /// The journal has not been read.
        case unknown
        /// Up to this sequence number.
        case upTo(UInt32)
    }

    private var journal: Journal
    private var acknowledgement: KeptAcknowledgement = .unknown
    private let buffer: FixedArray<UInt8>
    private let inPlace = InPlace()

    /// Bytes that `init(arena:)` takes, apart from padding.
    static var memorySize: Int { Journal.memorySize + WatchLimits.largestSDU }

    /// A store whose journal has not been read, with memory taken from `arena`.
    init(arena: inout MemoryArena) {
        journal = Journal(arena: &arena)
        buffer = arena.take(WatchLimits.largestSDU, of: 0)
    }

    /// Reads the journal into `data`. Returns whether everything that was ever kept is there.
    @inline(never)
    mutating func mount(into data: inout WatchData, on board: inout some Board & ~Copyable) -> StoreContents {
        defer { acknowledgement = .upTo(data.outbox.acknowledgedSequence) }
        do throws(JournalError) {
            let report = try journal.mount(flash: &board, replay: &data)
            return report.isComplete ? .complete : .incomplete
        } catch {
            board.trace(.journalFailed(error, at: board.now))
            return .incomplete
        }
    }

    /// Writes a record and appends it, waiting for the flash chip where it is busy. An error is reported, and the watch goes on
    /// from memory.
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

    /// Keeps the oldest message to the phone that is not in flash yet; nil where there is none, or while a sector is erased:
    /// then the messages stay where they are, in memory.
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
    /// Call it when every change of the data is in flash: a snapshot is of a state all of whose changes are.
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

    /// Notes in flash that nothing waits any more. Acknowledgements are not recorded one by one: after a restart the phone's
    /// hello tells them again, and until then the watch would only seem to have something to say.
    private mutating func keepAcknowledgements(
        of data: inout WatchData, on board: inout some Board & ~Copyable
    ) -> Bool {
        let acknowledged = KeptAcknowledgement.upTo(data.outbox.acknowledgedSequence)
        guard data.outbox.isEmpty, acknowledged != acknowledgement, board.flashActivity == .ready else {
            return false
        }
        acknowledgement = acknowledged
        keep(.positions, of: &data, on: &board)
        return true
    }
}
