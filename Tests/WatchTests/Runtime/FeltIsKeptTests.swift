import TestDoubles
import Testing

@testable import DeviceModel
@testable import Watch

/// The haptic click confirms a tap. If the wearer feels the click, the tap is in flash and will reach the phone. If the
/// tap cannot be stored, the watch says so.
struct FeltIsKeptTests {
    private typealias Bench = WatchBench<ShippingHandler>

    private func pulses(_ bench: Bench) -> [HapticPattern] { bench.snapshot.haptics.pulses.map(\.pattern) }

    private func breakFlash(_ bench: Bench) {
        bench.flash.change { chip in for sector in 0..<16 { chip.wearOut(sector: sector) } }
    }

    @Test func `with every write failing the row comes back, nothing is sent, and the watch says so`() throws {
        let bench = try WatchBench.connected(for: .seconds(2))
        breakFlash(bench)
        bench.tap(2)
        bench.run(for: .seconds(1))
        #expect(bench.titles == (1...10).map { "Item \($0)" })
        #expect(bench.screen.rows.allSatisfy { $0.state == .waiting })
        #expect(bench.screen.remaining == 10)
        #expect(pulses(bench) == [.failure])
        #expect(bench.phone.checkOffs.isEmpty && bench.screen.waitingMessages == 0)
        #expect(!bench.screen.isSynchronized)
        #expect(bench.screen.lines.last == "not stored: flash failing")
    }

    @Test func `the next tap is tried again, and with it the watch is in sync`() throws {
        let bench = try WatchBench.connected(for: .seconds(2))
        breakFlash(bench)
        bench.tap(2)
        bench.run(for: .seconds(1))
        bench.flash.change { $0.wornSectors = [] }
        bench.tap(2)
        bench.run(for: .seconds(1))
        #expect(pulses(bench) == [.failure, .click])
        #expect(bench.checkOffs == [3])
        #expect(bench.screen.isSynchronized && bench.screen.notice == .none)
    }

    @Test func `two taps at once that cannot be stored both come back in their places`() throws {
        let bench = try WatchBench.connected(for: .seconds(2))
        breakFlash(bench)
        bench.watch.send(.tap(x: 60, y: Int16(RowGeometry.rowTop(0) + 4)))
        bench.watch.send(.tap(x: 60, y: Int16(RowGeometry.rowTop(1) + 4)))
        bench.run(for: .seconds(1))
        #expect(bench.titles == (1...10).map { "Item \($0)" })
        #expect(bench.screen.rows.allSatisfy { $0.state == .waiting })
        #expect(pulses(bench) == [.failure, .failure])
    }

    @Test func `the legacy handler refuses as well`() throws {
        let bench = try WatchBench(items: 10, handler: LegacyHandler())
        bench.connect()
        bench.flash.change { chip in for sector in 0..<16 { chip.wearOut(sector: sector) } }
        bench.tap(2)
        bench.run(for: .seconds(30))
        #expect(bench.checkOffs.isEmpty && bench.screen.rows.count == 10)
        #expect(bench.snapshot.haptics.pulses.map(\.pattern) == [.failure])
    }

    @Test func `a chip whose standby bank fails is said, and taps are kept while there is room`() throws {
        let bench = try WatchBench.connected(for: .seconds(2))
        bench.flash.change { chip in for sector in 8..<16 { chip.wearOut(sector: sector) } }
        try bench.restart()
        bench.connect()
        bench.flash.change { chip in for sector in 0..<8 { chip.wornSectors.remove(sector) } }
        bench.tap(0)
        bench.run(for: .seconds(1))
        #expect(pulses(bench) == [.click])
        #expect(bench.checkOffs == [1])
    }
}
