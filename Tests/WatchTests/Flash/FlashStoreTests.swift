import DeviceModel
import TestDoubles
import TestSupport
import Testing
import WatchLink

@testable import Watch

struct FlashStoreTests {
    private let memory = PartMemory()

    private func board(_ flash: MemoryFlash) throws -> SimulatedBoard<MemoryFlash> {
        try SimulatedBoard(flash: flash, clock: .virtual(VirtualClock()), calendar: .unset)
    }

    private func parts() -> Parts {
        var arena = memory.arena
        return Parts(store: FlashStore(arena: &arena), data: WatchData(arena: &arena))
    }

    private struct Parts: ~Copyable {
        var store: FlashStore
        var data: WatchData
    }

    private func restored(_ flash: MemoryFlash) throws -> (isComplete: Bool, waiting: Int, identity: StoredIdentity) {
        var board = try board(flash)
        var parts = parts()
        let isComplete = parts.store.mount(into: &parts.data, on: &board)
        return (isComplete, parts.data.outbox.count, parts.data.identity)
    }

    @Test func `what is kept is there after a restart, and what cannot be kept is not queued`() throws {
        var board = try board(MemoryFlash(FlashGeometry(sectorCount: 16)))
        var parts = parts()
        _ = parts.store.mount(into: &parts.data, on: &board)
        parts.data.adopt(.known(identity: 4, epoch: 5))
        parts.store.keep(.identity, of: &parts.data, on: &board)
        for number in 1...2 as ClosedRange<UInt32> {
            let sequence = parts.store.issue(.checkOff(ItemID(number), at: nil), tap: nil, of: &parts.data, on: &board)
            #expect(sequence == number)
        }
        board.flash.failPower(afterOperations: 0, seed: 1)
        let refused = parts.store.issue(.checkOff(ItemID(3), at: nil), tap: nil, of: &parts.data, on: &board)
        #expect(refused == nil && parts.data.outbox.count == 2)
        #expect(!parts.store.keeps && parts.store.notice == .notStored)
        board.flash.restorePower()
        let after = try restored(board.flash)
        #expect(after.isComplete && after.waiting == 2 && after.identity == .known(identity: 4, epoch: 5))
    }

    @Test func `what the phone sends leaves room for as many check-offs as the outbox takes`() throws {
        // A chip that cannot change banks: nothing makes room.
        var board = try board(MemoryFlash(FlashGeometry(sectorCount: 16), eraseEnd: .onRequest))
        var parts = parts()
        _ = parts.store.mount(into: &parts.data, on: &board)
        _ = parts.store.maintain(&parts.data, on: &board)
        while parts.store.takesMessages(for: parts.data) {
            parts.store.keep(.positions, of: &parts.data, on: &board)
        }
        for id in 1...UInt32(WatchLimits.outbox) {
            let time = LocalTime(seconds: .max)
            let kept = parts.store.issue(.checkOff(ItemID(.max - id), at: time), tap: nil, of: &parts.data, on: &board)
            #expect(kept == id)
        }
        #expect(board.flash.counts.waits == 0 && parts.store.keeps)
        #expect(try restored(board.flash).waiting == WatchLimits.outbox)
    }

    @Test func `an acknowledgement of everything is recorded once`() throws {
        var board = try board(MemoryFlash(FlashGeometry(sectorCount: 16)))
        var parts = parts()
        _ = parts.store.mount(into: &parts.data, on: &board)
        _ = parts.store.issue(.checkOff(ItemID(1), at: nil), tap: nil, of: &parts.data, on: &board)
        _ = parts.data.outbox.popAcknowledged(upTo: 1)
        while parts.store.maintain(&parts.data, on: &board) {}
        let programs = board.flash.counts.programs
        _ = parts.store.maintain(&parts.data, on: &board)
        #expect(board.flash.counts.programs == programs)
        #expect(try restored(board.flash).waiting == 0)
    }

    @Test func `one decayed byte does not make a new watch, wherever it is`() throws {
        var board = try board(MemoryFlash(FlashGeometry(sectorCount: 16)))
        var program = RuntimeProgram(on: board, handler: ShippingHandler(), seed: 3)
        program.start()
        let (_, _, identity) = try restored(board.flash)
        #expect(identity != .unknown)
        // Both records of a new watch, and after a change of banks those of the snapshot.
        for offset in 0..<80 {
            var flash = board.flash
            flash.decay(at: JournalFormat.recordsOffset + offset, mask: 1)
            #expect(try restored(flash).identity == identity, "offset \(offset)")
        }
        board = try self.board(board.flash)
        var parts = parts()
        _ = parts.store.mount(into: &parts.data, on: &board)
        while parts.store.maintain(&parts.data, on: &board) {}
        parts.data.outbox.append(.checkOff(ItemID(1), at: nil))
        for number in 0..<1_600 {
            _ = parts.store.issue(.checkOff(ItemID(UInt32(number)), at: nil), tap: nil, of: &parts.data, on: &board)
            _ = parts.data.outbox.popAcknowledged(upTo: UInt32(number))
            while parts.store.maintain(&parts.data, on: &board) {}
        }
        #expect(board.flash.counts.erases >= 16)
        for address in stride(from: 0, to: board.flash.contents.count, by: TestLevel.rounds(503, nightly: 101)) {
            var flash = board.flash
            flash.decay(at: address, mask: 1)
            #expect(try restored(flash).identity == identity, "address \(address)")
        }
    }

    @Test func `what says that the newest record is whole takes no room of check-offs, and may fail`() throws {
        var board = try board(MemoryFlash(FlashGeometry(sectorCount: 16)))
        var parts = parts()
        _ = parts.store.mount(into: &parts.data, on: &board)
        while parts.store.maintain(&parts.data, on: &board) {}
        _ = parts.store.issue(.checkOff(ItemID(1), at: nil), tap: nil, of: &parts.data, on: &board)
        board.flash.failOnce(with: .verifyFailed, afterOperations: 0, seed: 3)
        let attempts = (parts.store.attest(parts.data, on: &board), parts.store.attest(parts.data, on: &board))
        #expect(attempts == (true, false))
        #expect(parts.store.keeps && parts.store.notice == .none)
        while parts.store.hasRoom(for: parts.data) { parts.store.keep(.positions, of: &parts.data, on: &board) }
        while parts.store.keep(.positions, of: &parts.data, on: &board) {
            while parts.store.attest(parts.data, on: &board) {}
        }
        for id in 2...UInt32(WatchLimits.outbox) {
            let time = LocalTime(seconds: .max)
            let kept = parts.store.issue(.checkOff(ItemID(.max - id), at: time), tap: nil, of: &parts.data, on: &board)
            #expect(kept == id)
            _ = parts.store.attest(parts.data, on: &board)
        }
        #expect(try restored(board.flash).waiting == WatchLimits.outbox)
    }
}

/// A bad phone sends for as long as the watch takes something: the chip is erased a bounded number of times an hour, check-offs
/// are kept at any time, and the phone's messages are taken again in the end.
struct BankPaceTests {
    private let memory = PartMemory()
    private let clock = VirtualClock()

    /// On a chip of two banks of eight sectors.
    private struct Watch: ~Copyable {
        var store: FlashStore
        var data: WatchData
        var board: SimulatedBoard<MemoryFlash>

        var erases: Int { board.flash.counts.erases }

        mutating func doUpkeep() {
            // It pauses after each sector of a bank.
            for _ in 0...8 {
                while store.maintain(&data, on: &board) {}
            }
        }

        mutating func takeFlood() {
            while true {
                doUpkeep()
                guard store.takesMessages(for: data) else { return }
                store.keep(.positions, of: &data, on: &board)
            }
        }

        /// The phone acknowledges the check-off. Returns whether it was kept.
        mutating func checkOff(_ number: UInt32) -> Bool {
            guard let sequence = store.issue(.checkOff(ItemID(number), at: nil), tap: nil, of: &data, on: &board) else {
                return false
            }
            return data.outbox.popAcknowledged(upTo: sequence) != nil
        }
    }

    private func watch() throws -> Watch {
        let flash = MemoryFlash(FlashGeometry(sectorCount: 16))
        var board = try SimulatedBoard(flash: flash, clock: .virtual(clock), calendar: .unset)
        var arena = memory.arena
        var store = FlashStore(arena: &arena)
        var data = WatchData(arena: &arena)
        _ = store.mount(into: &data, on: &board)
        return Watch(store: store, data: data, board: board)
    }

    @Test func `a flood erases 128 sectors at once, and then 60 an hour`() throws {
        var watch = try watch()
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
        var watch = try watch()
        watch.takeFlood()
        let closed = watch.store.deadline
        let deadline = try #require(closed)
        clock.advance(to: deadline)
        watch.doUpkeep()
        let (next, takes) = (watch.store.deadline, watch.store.takesMessages(for: watch.data))
        #expect(takes && next == deadline + .seconds(480))
    }

    @Test func `every check-off of a wearer during a flood is kept, and pays for one bank`() throws {
        var watch = try watch()
        watch.takeFlood()
        let before = watch.erases
        for number in 1...200 as ClosedRange<UInt32> {
            let isKept = watch.checkOff(number)
            #expect(isKept)
            watch.takeFlood()
        }
        let erases = watch.erases
        #expect(erases <= before + 8 * 200)
    }

    @Test func `check-offs alone never wait for the time to pass`() throws {
        var watch = try watch()
        for number in 1...10_000 as ClosedRange<UInt32> {
            let isKept = watch.checkOff(number)
            #expect(isKept)
            watch.doUpkeep()
        }
        let deadline = watch.store.deadline
        #expect(deadline == nil)
    }

    @Test func `saved erases are no more than after a start, however long the watch is left alone`() throws {
        var watch = try watch()
        clock.advance(by: .seconds(1_000_000))
        watch.takeFlood()
        let erases = watch.erases
        #expect(erases == 128)
    }
}
