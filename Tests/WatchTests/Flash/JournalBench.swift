import DeviceModel

@testable import Watch

extension FlashGeometry {
    /// Two banks of 4 KB: small, so that banks change often.
    static let small = FlashGeometry(pageSize: 256, sectorSize: 1_024, sectorCount: 8)
    /// The watch's own: two banks of 32 KB.
    static let watch = FlashGeometry(pageSize: 256, sectorSize: 4_096, sectorCount: 16)
}

/// A journal with its memory, a chip and a client.
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

    /// Mounts with an empty notebook, as after a start.
    @discardableResult
    mutating func mount() throws -> MountReport {
        notebook = Notebook()
        return try journal.mount(flash: &flash, replay: &notebook)
    }

    mutating func append(_ change: Notebook.Change) throws {
        try journal.append(change.kind, change.payload.span, flash: &flash)
        notebook.apply(change)
    }

    @discardableResult
    mutating func appendWaiting(_ change: Notebook.Change) throws -> AppendOutcome {
        let outcome = try journal.appendWaiting(
            change.kind, change.payload.span, flash: &flash, client: &notebook)
        notebook.apply(change)
        return outcome
    }

    mutating func maintain() -> MaintenanceStep {
        journal.maintain(flash: &flash, client: &notebook)
    }

    /// Does all upkeep that is due, and returns how many steps it took.
    @discardableResult
    mutating func settle(limit: Int = 10_000) -> Int {
        for step in 0..<limit where maintain() == .idle { return step }
        return limit
    }
}

extension Journal {
    /// The free bytes of the active bank.
    var free: Int { active.map { layout.bankSize - $0.end } ?? 0 }

    /// The number of banks committed since the chip was new, nil when not mounted.
    var generation: UInt32? { active?.generation }
}

/// What a journal on a copy of `flash` holds, and what its mount reported.
func remounted(_ flash: MemoryFlash) throws -> (Notebook, MountReport) {
    var bench = JournalBench(flash)
    let report = try bench.mount()
    return (bench.notebook, report)
}
