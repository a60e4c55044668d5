import DeviceModel
import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import Watch

/// The flash store of a watch, which has mounted its chip. By default, the chip has two banks of eight sectors.
private struct StoredWatch: ~Copyable {
    private let memory = PartMemory()
    var store: FlashStore
    var data: WatchData
    var board: SimulatedBoard<MemoryFlash>
    private(set) var isComplete = false

    init(
        _ flash: MemoryFlash = MemoryFlash(FlashGeometry(sectorCount: 16)), clock: VirtualClock = VirtualClock()
    ) throws {
        board = try SimulatedBoard(flash: flash, clock: .virtual(clock), calendar: .unset)
        var arena = memory.arena
        store = FlashStore(arena: &arena)
        data = WatchData(arena: &arena)
        isComplete = store.mount(into: &data, on: &board)
    }

    /// Returns the sequence of the message; nil if it was not stored.
    mutating func checkOff(_ id: UInt32, at time: LocalTime? = nil) -> UInt32? {
        store.issue(.checkOff(ItemID(id), at: time), tap: nil, of: &data, on: &board)
    }

    @discardableResult
    mutating func keep(_ record: DataRecord = .positions) -> Bool { store.keep(record, of: &data, on: &board) }

    mutating func maintain() { while store.maintain(&data, on: &board) {} }

    mutating func attest() -> Bool { store.attest(data, on: &board) }

    var takesMessages: Bool { store.takesMessages(for: data) }

    /// Expects that check-offs can be stored until the outbox is full. The first check-off gets the sequence `first`.
    mutating func expectRoomForCheckOffs(from first: UInt32) {
        for id in first...UInt32(WatchLimits.outbox) {
            let kept = checkOff(.max - id, at: LocalTime(seconds: .max))
            #expect(kept == id)
            _ = attest()
        }
    }

    // MARK: A flood of messages

    var erases: Int { board.flash.counts.erases }

    mutating func doUpkeep() {
        // Upkeep pauses after each sector that it erases. A bank has eight sectors.
        for _ in 0...8 { maintain() }
    }

    mutating func takeFlood() {
        while true {
            doUpkeep()
            guard takesMessages else { return }
            keep()
        }
    }

    mutating func checkOffAndAcknowledge(_ number: UInt32) -> Bool {
        guard let sequence = checkOff(number) else { return false }
        return data.outbox.popAcknowledged(upTo: sequence) != nil
    }
}

struct FlashStoreTests {
    private func restored(_ flash: MemoryFlash) throws -> (isComplete: Bool, waiting: Int, identity: UInt64?) {
        let watch = try StoredWatch(flash)
        return (watch.isComplete, watch.data.outbox.count, watch.data.identity)
    }

    @Test func `what is kept is there after a restart, and what cannot be kept is not queued`() throws {
        var watch = try StoredWatch()
        watch.data.identity = 4
        watch.keep(.identity)
        for number in 1...2 as ClosedRange<UInt32> {
            let sequence = watch.checkOff(number)
            #expect(sequence == number)
        }
        watch.board.flash.failPower(afterOperations: 0, seed: 1)
        let refused = watch.checkOff(3)
        #expect(refused == nil && watch.data.outbox.count == 2)
        #expect(!watch.store.keeps && watch.store.notice == .notStored)
        watch.board.flash.restorePower()
        let after = try restored(watch.board.flash)
        #expect(after.isComplete && after.waiting == 2 && after.identity == 4)
    }

    @Test func `what the phone sends leaves room for as many check-offs as the outbox takes`() throws {
        // On this chip, an erase never ends by itself. So the banks cannot change, and nothing makes room.
        var watch = try StoredWatch(MemoryFlash(FlashGeometry(sectorCount: 16), eraseEnd: .onRequest))
        _ = watch.store.maintain(&watch.data, on: &watch.board)
        while watch.takesMessages { watch.keep() }
        watch.expectRoomForCheckOffs(from: 1)
        #expect(watch.board.flash.counts.waits == 0 && watch.store.keeps)
        let waiting = try restored(watch.board.flash).waiting
        #expect(waiting == WatchLimits.outbox)
    }

    @Test func `an acknowledgement of everything is recorded once`() throws {
        var watch = try StoredWatch()
        let isKept = watch.checkOffAndAcknowledge(1)
        #expect(isKept)
        watch.maintain()
        let programs = watch.board.flash.counts.programs
        watch.maintain()
        #expect(watch.board.flash.counts.programs == programs)
        let waiting = try restored(watch.board.flash).waiting
        #expect(waiting == 0)
    }

    @Test func `one decayed byte does not make a new watch, wherever it is`() throws {
        let board = try SimulatedBoard(
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)), clock: .virtual(VirtualClock()), calendar: .unset)
        var program = RuntimeProgram(on: board, handler: ShippingHandler(), seed: 3)
        program.start()
        let (_, _, identity) = try restored(board.flash)
        #expect(identity != nil)
        // These bytes hold both records of a new watch. The loop below damages a chip whose banks have changed.
        for offset in 0..<80 {
            var flash = board.flash
            flash.decay(at: JournalFormat.recordsOffset + offset, mask: 1)
            #expect(try restored(flash).identity == identity, "offset \(offset)")
        }
        var watch = try StoredWatch(board.flash)
        watch.maintain()
        watch.data.outbox.append(.checkOff(ItemID(1), at: nil))
        for number in 0..<1_600 as Range<UInt32> {
            _ = watch.checkOff(number)
            _ = watch.data.outbox.popAcknowledged(upTo: number)
            watch.maintain()
        }
        let chip = watch.board.flash
        #expect(chip.counts.erases >= 16)
        for address in stride(from: 0, to: chip.contents.count, by: TestLevel.rounds(503, nightly: 101)) {
            var flash = chip
            flash.decay(at: address, mask: 1)
            #expect(try restored(flash).identity == identity, "address \(address)")
        }
    }

    @Test func `what says that the newest record is whole takes no room of check-offs, and may fail`() throws {
        var watch = try StoredWatch()
        watch.maintain()
        _ = watch.checkOff(1)
        watch.board.flash.failOnce(with: .verifyFailed, afterOperations: 0, seed: 3)
        let attempts = (watch.attest(), watch.attest())
        #expect(attempts == (true, false))
        #expect(watch.store.keeps && watch.store.notice == .none)
        while watch.store.hasRoom(for: watch.data) { watch.keep() }
        while watch.keep() {
            while watch.attest() {}
        }
        watch.expectRoomForCheckOffs(from: 2)
        let waiting = try restored(watch.board.flash).waiting
        #expect(waiting == WatchLimits.outbox)
    }
}

/// A faulty phone sends for as long as the watch takes messages. The watch must limit the erases in each hour. It must
/// store every check-off, and later take the phone's messages again.
struct BankPaceTests {
    private let clock = VirtualClock()

    @Test func `a flood erases 128 sectors at once, and then 60 an hour`() throws {
        var watch = try StoredWatch(clock: clock)
        watch.takeFlood()
        let erases = watch.erases
        #expect(erases == 128)
        for hour in 1...3 {
            for _ in 0..<3_600 {
                clock.advance(by: .seconds(1))
                watch.takeFlood()
            }
            let (erases, most) = (watch.erases, 128 + hour * 60)
            #expect((most - 8...most).contains(erases), "in \(hour) h")
        }
    }

    @Test func `the watch wakes when it may erase again, and takes messages then`() throws {
        var watch = try StoredWatch(clock: clock)
        watch.takeFlood()
        let closed = watch.store.deadline
        let deadline = try #require(closed)
        clock.advance(to: deadline)
        watch.doUpkeep()
        let (next, takes) = (watch.store.deadline, watch.takesMessages)
        #expect(takes && next == deadline + .seconds(480))
    }

    @Test func `every check-off of a wearer during a flood is kept, and pays for one bank`() throws {
        var watch = try StoredWatch(clock: clock)
        watch.takeFlood()
        let before = watch.erases
        for number in 1...200 as ClosedRange<UInt32> {
            let isKept = watch.checkOffAndAcknowledge(number)
            #expect(isKept)
            watch.takeFlood()
        }
        let erases = watch.erases
        #expect(erases <= before + 8 * 200)
    }

    @Test func `check-offs alone never wait for the time to pass`() throws {
        var watch = try StoredWatch(clock: clock)
        for number in 1...10_000 as ClosedRange<UInt32> {
            let isKept = watch.checkOffAndAcknowledge(number)
            #expect(isKept)
            watch.doUpkeep()
        }
        let deadline = watch.store.deadline
        #expect(deadline == nil)
    }

    @Test func `saved erases are no more than after a start, however long the watch is left alone`() throws {
        var watch = try StoredWatch(clock: clock)
        clock.advance(by: .seconds(1_000_000))
        watch.takeFlood()
        let erases = watch.erases
        #expect(erases == 128)
    }
}
