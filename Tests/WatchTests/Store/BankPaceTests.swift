import DeviceModel
import DeviceModelTesting
import Testing
import WatchLink

@testable import Watch

/// A bad phone sends for as long as the watch takes something: the chip is erased a bounded number of times an hour, check-offs
/// are kept at any time, and the phone's messages are taken again in the end.
@Suite struct BankPaceTests {
    private let memory = PartMemory()
    private let clock = VirtualClock()

    /// A store, and the data that it keeps, on a chip of two banks of eight sectors.
    private struct Watch: ~Copyable {
        var store: FlashStore
        var data: WatchData
        var board: SimulatedBoard<MemoryFlash>

        var erases: Int { board.flash.counts.erases }

        /// Does all the upkeep that may be done now.
        mutating func doUpkeep() {
            // It pauses after each sector of a bank.
            for _ in 0...8 {
                while store.maintain(&data, on: &board) {}
            }
        }

        /// Takes what the phone sends until the journal takes no more, with the upkeep in between.
        mutating func takeFlood() {
            while true {
                doUpkeep()
                guard case .open = store.intake(for: data) else { return }
                store.keep(.positions, of: &data, on: &board)
            }
        }

        /// Checks an item off; the phone acknowledges it. Returns whether it was kept.
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
        let (next, intake) = (watch.store.deadline, watch.store.intake(for: watch.data))
        #expect(intake == .open && next == deadline + .seconds(480))
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

    @Test func `what is saved up is no more than after a start, however long nobody comes`() throws {
        var watch = try watch()
        clock.advance(by: .seconds(1_000_000))
        watch.takeFlood()
        let erases = watch.erases
        #expect(erases == 128)
    }
}
