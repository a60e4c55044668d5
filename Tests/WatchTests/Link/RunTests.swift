import TestDoubles
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

/// Each run of the watch has its own epoch. A message keeps the epoch and number with which it was issued. So each
/// check-off is applied once, even if older flash is restored or records are damaged.
struct RunTests {
    private typealias Bench = WatchBench<ShippingHandler>

    @Test func `a tap after an older copy of the flash was put back is applied`() throws {
        let bench = try Bench.connected(for: .seconds(2))
        let older = bench.flash.contents
        bench.tapAndWait(0)
        #expect(bench.checkOffs == [1])
        bench.flash.change { $0 = older }
        try bench.restart()
        // Shows the first rows for longer than the touch controller needs to detect a finger.
        bench.run(for: .milliseconds(20))
        // The older flash has an older list and sequence. So the next message gets the same number as the last one.
        bench.tapAndWait(1)
        bench.connect()
        bench.run(for: .seconds(5))
        #expect(bench.checkOffs == [1, 2])
        bench.expectAgreement()
    }

    @Test func `a check-off that comes again from an older copy has no effect`() throws {
        let bench = try Bench.connected(for: .seconds(2))
        bench.cutAndWait()
        bench.tapAndWait(0)
        let older = bench.flash.contents
        bench.connect()
        bench.run(for: .seconds(2))
        #expect(bench.checkOffs == [1])
        bench.flash.change { $0 = older }
        try bench.restart()
        bench.connect()
        bench.run(for: .seconds(2))
        #expect(bench.checkOffs == [1] && bench.screen.waitingMessages == 0)
        bench.expectAgreement()
    }

    @Test(arguments: 0..<40)
    func `a decayed record loses no other check-off, also after restarts, and the watch says so`(place: Int) throws {
        let bench = try Bench.connected(for: .seconds(2))
        bench.cutAndWait()
        // An address in the records before the check-offs: identity, list, positions and title.
        let address = JournalFormat.recordsOffset + place * 8
        let bank = bench.flash.contents.contents.prefix(FlashGeometry.watch.capacity / 2)
        guard address <= bank.lastIndex(where: { $0 != 0xFF }) ?? 0 else { return #expect(place > 30) }
        bench.tapAndWait(0)
        bench.tapAndWait(0)
        bench.flash.change { $0.decay(at: address, mask: 0x60) }
        try bench.restart()
        let isDamaged = bench.screen.notice == .recordsLost
        if !bench.titles.isEmpty { bench.tapAndWait(0) }
        let taps = bench.snapshot.haptics.count
        try bench.restart()
        try bench.restart()
        bench.connect()
        bench.run(for: .seconds(5))
        #expect(bench.checkOffs.count == 2 + taps || !isDamaged)
        #expect(Set(bench.checkOffs).count == bench.checkOffs.count)
        #expect(bench.checkOffs.prefix(2) == [1, 2])
        bench.expectAgreement()
    }

    /// Returns the flash of a watch whose newest message has this number and is acknowledged.
    private func flash(acknowledged sequence: UInt32) throws -> MemoryFlash {
        var board = try SimulatedBoard(
            flash: MemoryFlash(FlashGeometry(sectorCount: 16)), clock: .virtual(VirtualClock()), calendar: .unset)
        let memory = PartMemory()
        var arena = memory.arena
        var store = FlashStore(arena: &arena)
        var data = WatchData(arena: &arena)
        _ = store.mount(into: &data, on: &board)
        data.identity = 4
        data.outbox.reset(after: OutboxEnd(sequence: sequence, origin: nil))
        store.keep(.identity, of: &data, on: &board)
        store.keep(.positions, of: &data, on: &board)
        return board.flash
    }

    @Test(arguments: [0x8000_0000, 0x8000_0005, UInt32.max - 1, .max] as [UInt32])
    func `sequences begin again in a new epoch once half of them are used`(acknowledged: UInt32) throws {
        let bench = try WatchBench(
            phone: InMemoryPhone(items: 4), handler: ShippingHandler(), flash: try flash(acknowledged: acknowledged))
        bench.connect()
        bench.tapAndWait(0)
        try bench.restart()
        bench.connect()
        bench.tapAndWait(0)
        #expect(bench.phone.checkOffs.map(\.id) == [1, 2])
        #expect(bench.phone.checkOffs.map(\.sequence) == [1, 2])
        bench.expectAgreement()
    }

    @Test func `a check-off after the numbers have begun again outlives a restart`() throws {
        let bench = try WatchBench(
            phone: InMemoryPhone(items: 4), handler: ShippingHandler(), flash: try flash(acknowledged: 0x7FFF_FFFF))
        bench.connect()
        // The check-off gets number 0x8000_0000, the last one before the numbers restart.
        bench.tapAndWait(0)
        bench.run(for: .seconds(2))
        bench.cutAndWait()
        bench.tapAndWait(0)
        try bench.restart()
        bench.connect()
        bench.run(for: .seconds(1))
        #expect(bench.phone.checkOffs.map(\.id) == [1, 2])
        #expect(bench.phone.checkOffs.map(\.sequence) == [0x8000_0000, 1])
        bench.expectAgreement()
    }

    /// Returns the flash of a watch with 40 items and `waiting` check-offs. When the phone has acknowledged the
    /// check-offs, message numbers restart at 1. The journal then reserves so much room for new check-offs that it has
    /// too little room for the phone's messages.
    private func nearlyFullFlash(waiting: Int) throws -> MemoryFlash {
        let bench = try Bench.connected(items: 40, for: .seconds(2))
        var board = try SimulatedBoard(
            flash: bench.flash.contents, clock: .virtual(VirtualClock()), calendar: .unset)
        let memory = PartMemory()
        var arena = memory.arena
        var store = FlashStore(arena: &arena)
        var data = WatchData(arena: &arena)
        _ = store.mount(into: &data, on: &board)
        data.epoch = 6
        data.outbox.reset(after: OutboxEnd(sequence: 0x8000_0000 - UInt32(waiting), origin: nil))
        store.keep(.positions, of: &data, on: &board)
        for number in 1...UInt32(waiting) {
            _ = store.issue(.checkOff(ItemID(number), at: nil), tap: nil, of: &data, on: &board)
        }
        let bank = FlashGeometry.watch.capacity / 2
        while board.flash.contents[(bank - 6_400)..<bank].allSatisfy({ $0 == 0xFF }) {
            #expect(store.keep(.positions, of: &data, on: &board))
        }
        return board.flash
    }

    @Test(arguments: [FlashPace.typical, .maximum])
    func `nothing waits for an erase while the numbers begin again`(pace: FlashPace) throws {
        let bench = try WatchBench(
            phone: InMemoryPhone(items: 40), handler: ShippingHandler(), flash: try nearlyFullFlash(waiting: 20))
        bench.faults = WatchFaults(flash: pace)
        bench.radio.connect()
        for _ in 0..<4 {
            bench.run(for: .seconds(2))
            bench.connect()
        }
        // Apart from programming, the time goes to transfers and to the suspension of erases.
        #expect(bench.work.spent.flash < bench.work.programming + .milliseconds(200))
        // The phone has acknowledged all check-offs. When the journal had room again, the numbers restarted.
        #expect(bench.phone.checkOffs.count == 20)
        bench.tapAndWait(0)
        #expect(bench.phone.checkOffs.last?.sequence == 1)
        bench.expectAgreement()
    }

    @Test func `epoch 0 and identity 0 in flash do not stop the watch`() throws {
        for (number, epoch) in [(4, 0), (0, 4), (0, 0)] as [(UInt8, UInt8)] {
            let memory = PartMemory()
            var arena = memory.arena
            var journal = Journal(arena: &arena)
            var flash = MemoryFlash(FlashGeometry(sectorCount: 16))
            var ledger = WatchData(arena: &arena)
            _ = try journal.mount(flash: &flash, replay: &ledger)
            // The first record has an identity, an epoch and no phone. The second has origin 1, sequence 1, item 2 and
            // no time.
            let (identity, check): ([UInt8], [UInt8]) = ([number, epoch, 0, 0, 0, 0, 0, 0], [1, 1, 2, 0])
            try journal.append(RecordKind(.identity), identity.span, flash: &flash)
            try journal.append(RecordKind(.checkOff), check.span, flash: &flash)
            let bench = try WatchBench(phone: InMemoryPhone(items: 4), handler: ShippingHandler(), flash: flash)
            bench.connect()
            bench.run(for: .seconds(1))
            #expect(bench.phone.checkOffs.map(\.id) == [2])
            bench.expectAgreement()
        }
    }

    @Test func `another phone is refused while check-offs wait, and is given nothing`() throws {
        let bench = try Bench.connected(for: .seconds(2))
        bench.cutAndWait()
        bench.tapAndWait(0)
        let other = try bench.joined(
            to: InMemoryPhone(list: "Office", items: [PhoneItem(id: 1, title: "Pens")], seed: 9))
        #expect(other.phone.checkOffs.isEmpty)
        #expect(other.screen.notice == .otherPhone && other.screen.waitingMessages == 1)
        #expect(other.screen.lines.last == "this watch has another phone")
        #expect(other.titles == (2...10).map { "Item \($0)" })
        let own = try other.joined(to: bench.phone)
        #expect(own.checkOffs == [1] && own.screen.notice == .none)
        own.expectAgreement()
    }

    @Test func `a phone that has lost check-offs is told when the watch comes back from another one`() throws {
        let bench = try Bench.connected(for: .seconds(2))
        let copy = InMemoryPhone(restoredFrom: bench.phone)
        bench.tapAndWait(0)
        let other = try bench.joined(
            to: InMemoryPhone(list: "Office", items: [PhoneItem(id: 1, title: "Pens")], seed: 9))
        try other.restart()
        let back = try other.joined(to: copy)
        #expect(back.screen.notice == .phoneRestored)
        back.tapAndWait(0)
        #expect(copy.checkOffs.map(\.id) == [1])
        back.expectAgreement()
    }

    @Test func `a question about digits over the status sheet does not make its notice read`() throws {
        let bench = try Bench.connected(for: .seconds(2))
        let copy = InMemoryPhone(restoredFrom: bench.phone)
        bench.tapAndWait(0)
        let restored = try bench.joined(to: copy)
        restored.tap(x: 60, y: 4)
        restored.run(for: .seconds(1))
        #expect(restored.screen.screen == .status)
        restored.send(.pairing(.compare(digits: 123_456)))
        restored.send(.pairing(.over))
        restored.run(for: .seconds(1))
        #expect(restored.screen.notice == .phoneRestored)
        try restored.restart()
        #expect(restored.screen.notice == .phoneRestored)
    }

    @Test func `a sheet that is turned away before it is on the panel does not make its notice read`() throws {
        let bench = try Bench.connected(for: .seconds(2))
        let copy = InMemoryPhone(restoredFrom: bench.phone)
        bench.tapAndWait(0)
        let restored = try bench.joined(to: copy)
        restored.send(.press(.crown))
        // The side button shows the status sheet, and closes it.
        for _ in 0..<2 { restored.watch.send(.press(.side)) }
        restored.run(for: .seconds(1))
        #expect(restored.screen.screen == .face && restored.screen.notice == .phoneRestored)
        restored.send(.press(.side))
        restored.run(for: .seconds(1))
        restored.send(.press(.side))
        #expect(restored.screen.notice == .none)
    }

    @Test func `that the phone has lost check-offs is said after a loss of power too`() throws {
        let bench = try Bench.connected(for: .seconds(2))
        let copy = InMemoryPhone(restoredFrom: bench.phone)
        bench.tapAndWait(0)
        let restored = try bench.joined(to: copy)
        // The watch has answered the phone, so the phone does not report the loss again.
        try restored.restart()
        #expect(restored.screen.notice == .phoneRestored)
        restored.connect()
        restored.run(for: .seconds(2))
        #expect(restored.screen.notice == .phoneRestored)
        try expectRead(restored)
    }

    /// Opens and closes the status sheet. Expects that its notice is then gone, even after a restart.
    private func expectRead(_ bench: Bench) throws {
        bench.tap(x: 60, y: 4)
        // The watch first redraws the state of the link. The wearer needs a second after that to read the sheet.
        bench.run(for: .seconds(2))
        #expect(bench.screen.screen == .status)
        bench.tap(x: 60, y: 80)
        bench.run(for: .seconds(1))
        #expect(bench.screen.notice == .none)
        try bench.restart()
        #expect(bench.screen.notice == .none)
    }

    @Test func `that records were damaged is said until the wearer has read it, also once they are gone`() throws {
        let bench = try Bench.connected(for: .seconds(2))
        bench.cutAndWait()
        bench.tapAndWait(0)
        bench.tapAndWait(0)
        let bank = bench.flash.contents.contents.prefix(FlashGeometry.watch.capacity / 2)
        let last = try #require(bank.lastIndex(where: { $0 != 0xFF }))
        bench.flash.change { $0.decay(at: last - 40, mask: 0x60) }
        try bench.restart()
        #expect(bench.screen.notice == .recordsLost)
        // The journal changes banks, and does not copy the damaged record.
        bench.run(for: .seconds(60))
        for _ in 0..<2 {
            try bench.restart()
            #expect(bench.screen.notice == .recordsLost)
        }
        bench.connect()
        try expectRead(bench)
    }

    @Test(arguments: 0..<24)
    func `what could not be read is said, wherever the power fails while the chip is made anew`(cut: Int) throws {
        let bench = try Bench.connected(for: .seconds(2))
        bench.cutAndWait()
        bench.tapAndWait(0)
        bench.flash.change { flash in
            for address in JournalFormat.headerOffset..<JournalFormat.recordsOffset {
                flash.decay(at: address, mask: 0x3)
            }
            flash.failPower(afterOperations: cut, seed: UInt64(cut))
        }
        try? bench.restart()
        bench.run(for: .seconds(1))
        bench.flash.change { $0.power = .on }
        try bench.restart()
        #expect(bench.screen.notice == .recordsLost)
    }
}

extension WatchBench<ShippingHandler> {
    func tapAndWait(_ row: Int) {
        tap(row)
        run(for: .seconds(1))
    }

    func cutAndWait() {
        radio.cut()
        run(for: .seconds(1))
    }

    func expectAgreement() {
        #expect(screen.isSynchronized)
        #expect(titles == phone.waiting.map(\.title))
    }

    /// Connects the watch to another phone, or to the same phone with another database. Returns a new bench with the
    /// same flash.
    func joined(to phone: InMemoryPhone) throws -> WatchBench<ShippingHandler> {
        cutAndWait()
        watch.stop()
        let next = try WatchBench(phone: phone, handler: ShippingHandler(), flash: flash.contents)
        try next.restart()
        next.radio.connect()
        next.run(for: .seconds(2))
        next.radio.connect()
        next.run(for: .seconds(5))
        return next
    }
}
