import DeviceModel
import Testing
import WatchLink

@testable import DeviceModel
@testable import Watch

/// `ShippingHandler` never waits for the radio link or the phone. They do not change the time from a tap to the update
/// of the panel. They delay the removal of the row by at most one redraw of the title bar.
struct ShippingHandlerTests {
    private static let profile = DeviceProfile.memoryLCD

    /// The longest time by which the phone can delay the removal of a row. A datagram may arrive just before the row is
    /// due to go. The watch then handles it first, and redraws the 13 lines with the item count and the phone icon.
    private static var titleBarRedraw: Microseconds {
        let table = CountTable.measured(items: 128)
        let count =
            table[.datagram] + table[.news] + table[.flush] + 13 * table[.line] + table[.meanwhile] + table[.shown]
        return profile.processor.time(cycles: count.cycles) + profile.panel.time(lines: 13) + Microseconds(1)
    }

    /// Whether two times can stand for the same number of cycles. Times are rounded down to microseconds, and the
    /// remainder is carried over. So the time before the transfer to the panel and the time after it may each differ by
    /// 1 us.
    private static func isSame(_ one: Microseconds, _ other: Microseconds) -> Bool {
        max(one, other) - min(one, other) <= Microseconds(2)
    }

    private func expectSame(_ found: Outcome, _ usual: Outcome) {
        #expect(zip(found.updates, usual.updates).allSatisfy(Self.isSame))
        // A datagram may delay a row on one of the links, but not on the other.
        for (one, other) in zip(found.settled, usual.settled) {
            #expect(max(one, other) <= min(one, other) + Self.titleBarRedraw)
        }
    }

    private struct Outcome: Equatable {
        var updates: [Microseconds]
        var settled: [Microseconds]
    }

    private func taps(
        items: Int = 128, loss: Double = 0, jitter: Microseconds = .zero, phone: Microseconds = .zero,
        databaseFactor: UInt64 = 1, supply: Supply = .sufficient
    ) throws -> Outcome {
        let bench = try WatchBench(
            phone: InMemoryPhone(items: items), handler: ShippingHandler(), profile: Self.profile)
        bench.connect()
        bench.run(for: .seconds(10))
        bench.faults = WatchFaults(loss: loss, jitter: jitter, phone: phone, supply: supply)
        let cost = Self.profile.phone
        bench.phone.cost = PhoneCost(
            readThousandRows: Microseconds(cost.readThousandRows.count * databaseFactor),
            commit: Microseconds(cost.commit.count * databaseFactor))
        // Every run taps at the same phase of the touch controller's scans and of the minute.
        bench.run(for: Microseconds(20_000_000 - bench.clock.now.microseconds))
        for _ in 0..<8 {
            bench.tap(0)
            bench.run(for: .milliseconds(700))
        }
        let taps = bench.snapshot.taps
        #expect(taps.count == 8)
        return Outcome(
            updates: try taps.map { try #require($0.tapToUpdate) },
            settled: try taps.map { try #require($0.sinceTouch(.settled)) })
    }

    @Test(arguments: [0.01, 0.1, 0.3, 0.5, 0.9, 1])
    func `a loss on the radio link does not change updated, and settled by no more than a redraw of the title bar`(
        loss: Double
    ) throws {
        expectSame(try taps(loss: loss), try taps())
    }

    @Test(arguments: [(100, .zero), (1, .seconds(3)), (1_000, .seconds(60))] as [(UInt64, Microseconds)])
    func `a slow phone changes neither`(factor: UInt64, delay: Microseconds) throws {
        expectSame(try taps(phone: delay, databaseFactor: factor), try taps())
    }

    @Test func `a slow phone on a bad radio link, and a nearly empty battery, change neither`() throws {
        expectSame(try taps(loss: 0.4, jitter: .milliseconds(200), phone: .seconds(1)), try taps())
        expectSame(try taps(supply: .low), try taps())
    }

    @Test func `with two thousand items on the phone the update is the same as well`() throws {
        // For the row that goes, the phone sends another one. That moves the scroll indicator, which the watch draws
        // after the update. So only the updates are compared.
        let updates = try taps(items: 2_000).updates
        #expect(zip(try taps(items: 2_000, loss: 1).updates, updates).allSatisfy(Self.isSame))
        #expect(zip(try taps(items: 2_000, phone: .seconds(3)).updates, updates).allSatisfy(Self.isSame))
    }
}

struct LegacyHandlerTests {
    @Test func `the panel waits for the phone the flash and the reload`() throws {
        let bench = try WatchBench(phone: InMemoryPhone(items: 128), handler: LegacyHandler())
        bench.connect()
        bench.tap(0)
        bench.run(for: .seconds(20))
        let tap = try #require(bench.snapshot.taps.first)
        let acknowledged = try #require(tap.time(of: .acknowledged))
        let updated = try #require(tap.time(of: .updated))
        #expect(acknowledged < updated)
        #expect(bench.phone.reloads == 1)
        #expect(tap.stages.count == 9)
        #expect(bench.phone.checkOffs.map(\.id) == [1])
        #expect(bench.titles == bench.phone.waiting.map(\.title))
    }

    @Test func `touches that wait while the legacy handler works hit the rows that were under them`() throws {
        let bench = try WatchBench(phone: InMemoryPhone(items: 128), handler: LegacyHandler())
        bench.connect()
        let start = bench.clock.now + .seconds(1)
        for row in 0..<5 { bench.watch.send(.tap(row: row), at: start + .milliseconds(UInt32(20 * row))) }
        bench.run(for: .seconds(60))
        // When the watch handles the fourth touch, the panel has changed twice. The watch no longer knows the row that
        // was under the finger, so the touch hits no item.
        #expect(bench.checkOffs == [1, 2, 3])
        #expect(bench.titles == bench.phone.waiting.map(\.title))
    }

    @Test func `without a phone the legacy handler does not wait for one`() throws {
        let bench = try WatchBench(phone: InMemoryPhone(items: 8), handler: LegacyHandler())
        bench.connect()
        bench.radio.cut()
        bench.run(for: .seconds(1))
        bench.tap(0)
        let tap = try #require(bench.snapshot.taps.first)
        #expect(try #require(tap.tapToUpdate) < .seconds(1))
        bench.connect()
        #expect(bench.phone.checkOffs.map(\.id) == [1])
    }
}
