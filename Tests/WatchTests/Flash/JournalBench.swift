import DeviceModel
import TestDoubles
import TestSupport
import WatchLink

@testable import Watch

extension FlashGeometry {
    /// Two banks of 4 KB. They are small, so that the journal changes banks often.
    static let small = FlashGeometry(pageSize: 256, sectorSize: 1_024, sectorCount: 8)
    /// Two banks of 32 KB, as on the watch.
    static let watch = FlashGeometry(pageSize: 256, sectorSize: 4_096, sectorCount: 16)
}

struct JournalBench<Chip: NORFlash & Sendable>: ~Copyable {
    private let memory: UnsafeMutableRawBufferPointer
    var journal: Journal
    var flash: Chip
    var notebook = Notebook()

    init(_ flash: Chip) {
        memory = .allocate(byteCount: 1_024, alignment: 16)
        var arena = MemoryArena(memory)
        journal = Journal(arena: &arena)
        self.flash = flash
    }

    deinit {
        memory.deallocate()
    }

    @discardableResult
    mutating func mount() throws -> MountReport {
        notebook = Notebook()
        return try journal.mount(flash: &flash, replay: &notebook)
    }

    mutating func append(_ change: Notebook.Change) throws {
        try journal.append(change.kind, change.payload.span, flash: &flash)
        notebook.apply(change)
    }

    mutating func write(_ payload: [UInt8]) throws {
        try append(Notebook.Change(kind: Notebook.write, payload: payload))
    }

    @discardableResult
    mutating func appendWaiting(_ change: Notebook.Change) throws -> Int {
        let erases = try journal.appendWaiting(
            change.kind, change.payload.span, flash: &flash, client: &notebook)
        notebook.apply(change)
        return erases
    }

    mutating func maintain() -> MaintenanceStep {
        journal.maintain(flash: &flash, client: &notebook)
    }

    /// Calls `maintain` until it is idle, at most `limit` times. Returns the number of calls before the idle one.
    @discardableResult
    mutating func settle(limit: Int = 10_000) -> Int {
        for step in 0..<limit where maintain() == .idle { return step }
        return limit
    }
}

extension Journal {
    var free: Int { active.map { layout.bankSize - $0.end } ?? 0 }

    var generation: UInt32? { active?.generation }
}

func remounted(_ flash: MemoryFlash) throws -> (Notebook, MountReport) {
    var bench = JournalBench(flash)
    let report = try bench.mount()
    return (bench.notebook, report)
}

/// A client whose state tests can compare: up to 256 notes, each with a number.
struct Notebook: JournalClient, Equatable {
    /// Sets a note. The first byte of the payload is the number of the note, the rest is its content.
    static let write = RecordKind(rawValue: 1)
    /// Removes a note. The payload is the number of the note.
    static let erase = RecordKind(rawValue: 2)
    static let unknown = RecordKind(rawValue: 200)

    struct Change {
        var kind: RecordKind
        var payload: [UInt8]

        static func random(using random: inout SplitMix64, notes: UInt8 = 12, longest: Int = 90) -> Change {
            let number = UInt8.random(in: 0..<notes, using: &random)
            switch UInt8.random(in: 0..<10, using: &random) {
            case 0, 1: return Change(kind: erase, payload: [number])
            case 2:
                return Change(kind: write, payload: [number] + random.bytes(.random(in: 0...longest, using: &random)))
            default: return Change(kind: write, payload: [number] + random.bytes(.random(in: 0...40, using: &random)))
            }
        }
    }

    var notes: [UInt8: [UInt8]] = [:]

    mutating func apply(_ change: Change) {
        _ = replay(change.kind, payload: change.payload.span)
    }

    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome {
        guard kind == Notebook.write || kind == Notebook.erase else { return .unknownKind }
        guard !payload.isEmpty else { return .unreadable }
        notes[payload[0]] = kind == Notebook.write ? (1..<payload.count).map { payload[$0] } : nil
        return .applied
    }

    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord? {
        while cursor.element < 256 {
            let number = UInt8(cursor.element)
            cursor.element += 1
            guard let note = notes[number] else { continue }
            payload[0] = number
            for index in note.indices { payload[index + 1] = note[index] }
            return SnapshotRecord(kind: Notebook.write, count: note.count + 1)
        }
        return nil
    }
}

/// A client that collects every record in order. Its snapshots are empty.
struct Ledger: JournalClient {
    struct Entry: Equatable {
        var kind: UInt8
        var payload: [UInt8]
    }

    var entries: [Entry] = []

    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome {
        entries.append(Entry(kind: kind.rawValue, payload: (0..<payload.count).map { payload[$0] }))
        return .applied
    }

    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord? {
        nil
    }
}

extension Array where Element: Equatable {
    func isLeft(of whole: [Element]) -> Bool {
        var next = startIndex
        for element in whole where next < endIndex && element == self[next] { next += 1 }
        return next == endIndex
    }
}

/// A flash chip that simulates power cuts. At every program and erase, it stores copies of its contents as they would
/// be if the power failed during that operation.
struct PowerCutRecorder: NORFlash, Sendable {
    enum Doing: Equatable, Sendable {
        /// The journal is appending a record. It has appended this number of records before.
        case appending(after: Int)
        /// The journal has appended this number of records, and is not appending another one.
        case maintaining(Int)
    }

    struct Cut: Sendable {
        var flash: MemoryFlash
        var doing: Doing
        var operation: Int
        var seed: UInt64
    }

    var chip: MemoryFlash
    var doing = Doing.maintaining(0)
    private(set) var cuts: [Cut] = []
    private let seeds: [UInt64]

    /// - Parameter seeds: each operation is cut once for each seed, which decides how much of the operation is done.
    init(_ chip: MemoryFlash, seeds: [UInt64]) {
        self.chip = chip
        self.seeds = seeds
    }

    var flashGeometry: FlashGeometry { chip.flashGeometry }
    var flashActivity: FlashActivity { mutating get { chip.flashActivity } }

    mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try chip.readFlash(at: address, into: &destination)
    }

    mutating func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        for seed in seeds {
            var torn = beforeCut(seed)
            try? torn.programFlash(at: address, bytes)
            record(torn, seed)
        }
        try chip.programFlash(at: address, bytes)
    }

    mutating func beginErase(sector: Int) throws(FlashError) {
        for seed in seeds {
            var torn = beforeCut(seed)
            try? torn.beginErase(sector: sector)
            record(torn, seed)
        }
        try chip.beginErase(sector: sector)
        // The power also fails between two operations, while the sector is being erased.
        for seed in seeds { record(chip.cutDuringErase(seed: seed), seed) }
    }

    mutating func finishErase() {
        chip.finishErase()
    }

    private func beforeCut(_ seed: UInt64) -> MemoryFlash {
        var torn = chip
        torn.failPower(afterOperations: 0, seed: seed &+ UInt64(chip.counts.operations) &* 7_919)
        return torn
    }

    private mutating func record(_ torn: MemoryFlash, _ seed: UInt64) {
        var flash = torn
        flash.restorePower()
        cuts.append(Cut(flash: flash, doing: doing, operation: chip.counts.operations, seed: seed))
    }
}
