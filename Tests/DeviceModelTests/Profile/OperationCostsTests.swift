import TestDoubles
import Testing
import Watch
import WatchLink

@testable import DeviceModel

@Suite struct TouchCostTests {
    private let tireless = TouchCost(scanInterval: .milliseconds(10))
    private let resting = TouchCost(
        scanInterval: .milliseconds(10),
        rest: TouchCost.Rest(after: .seconds(2), scanInterval: .milliseconds(40)))

    private func at(_ microseconds: UInt64) -> Instant { Instant(microseconds: microseconds) }

    @Test func `A finger is seen at the next scan`() {
        #expect(tireless.interrupt(after: .start, lastScan: .start) == .start)
        #expect(tireless.interrupt(after: at(1), lastScan: .start) == at(10_000))
        #expect(tireless.interrupt(after: at(10_000), lastScan: .start) == at(10_000))
        #expect(tireless.interrupt(after: at(9_000_001), lastScan: .start) == at(9_010_000))
    }

    @Test func `Without time between scans a finger is seen at once`() {
        #expect(TouchCost(scanInterval: .zero).interrupt(after: at(7), lastScan: .start) == at(7))
    }

    @Test func `Scans go on from the one that has seen the last finger`() {
        #expect(tireless.interrupt(after: at(50_000), lastScan: at(43_000)) == at(53_000))
        // It sees the next finger, too, where that is down by then.
        #expect(tireless.interrupt(after: at(42_000), lastScan: at(43_000)) == at(43_000))
    }

    @Test func `Two seconds after the last finger the scans become rare`() {
        let last = at(1_000_000)
        #expect(resting.interrupt(after: at(2_995_000), lastScan: last) == at(3_000_000))
        #expect(resting.interrupt(after: at(3_000_000), lastScan: last) == at(3_000_000))
        #expect(resting.interrupt(after: at(3_000_001), lastScan: last) == at(3_040_000))
        #expect(resting.interrupt(after: at(3_040_000), lastScan: last) == at(3_040_000))
        #expect(resting.interrupt(after: at(9_999_999), lastScan: last) == at(10_000_000))
    }

    @Test func `A finger at rest waits for 20 ms on average and 40 ms at most`() {
        let waits = (0..<40_000).map { (step: UInt64) in
            let finger = at(60_000_000 + 7 * step)
            return (resting.interrupt(after: finger, lastScan: .start) - finger).count
        }
        #expect(waits.max() ?? 0 < 40_000)
        #expect(abs(Double(waits.reduce(0, +)) / 40_000 - 20_000) < 200)
    }

    @Test func `What a finger may have waited is the rare scan's interval after a rest alone`() {
        let last = at(1_000_000)
        #expect(resting.wait(before: at(1_010_000), lastScan: last) == .milliseconds(10))
        #expect(resting.wait(before: at(3_000_000), lastScan: last) == .milliseconds(10))
        #expect(resting.wait(before: at(3_040_000), lastScan: last) == .milliseconds(40))
        #expect(tireless.wait(before: at(9_000_000), lastScan: last) == .milliseconds(10))
        for step in 0..<5_000 as Range<UInt64> {
            let finger = at(1_000_000 + 997 * step)
            let interrupt = resting.interrupt(after: finger, lastScan: last)
            #expect(interrupt - finger <= resting.wait(before: interrupt, lastScan: last))
        }
        #expect(resting.longestWait == .milliseconds(40) && tireless.longestWait == .milliseconds(10))
    }

    @Test func `The first scan of a board that starts later is on the same grid`() {
        #expect(resting.firstScan(from: .start) == .start)
        #expect(resting.firstScan(from: at(5_003_000)) == at(5_010_000))
    }
}

@Suite struct EnergyCostTests {
    private var energy: EnergyCost {
        EnergyCost(
            batteryMilliampereHours: 100, sleepMicroamperes: 10, processorMicroamperes: 4_000, panelLine: 2,
            programMicroamperes: 3_000, sectorErase: 50, hapticPattern: 7, radioEvent: 5, radioByte: 0.5)
    }

    @Test func `Work is priced part by part`() {
        var work = BoardWork()
        work.spent.processor = .milliseconds(2)
        work.panelLines = 4
        work.programming = .milliseconds(2)
        work.sectorErases = 1
        work.hapticPatterns = 3
        work.radio.events = 6
        work.radio.packets = 2
        work.radio.payloadOnAir = 14
        let use = energy.charge(of: work, in: .seconds(3))
        #expect(use.sleep.microcoulombs == 30)
        #expect(use.processor.microcoulombs == 8)
        #expect(use.panel.microcoulombs == 8)
        #expect(use.flash.microcoulombs == 56)
        #expect(use.haptic.microcoulombs == 21)
        #expect(use.radio.microcoulombs == 50)
        #expect(use.total.microcoulombs == 173)
    }

    @Test func `A battery of 100 mAh feeds 1 mA for a hundred hours`() {
        var use = energy.charge(of: BoardWork(), in: .zero)
        use.sleep = Charge(microamperes: 1_000, for: .seconds(60))
        let days = energy.batteryDays(use, per: .seconds(60))
        #expect(abs(days - 100.0 / 24) < 1e-9)
    }

    @Test func `An hour of ten taps on the memory LCD, over and over, empties the battery after more than a week`()
        throws
    {
        let bench = try WatchBench.connected(items: 60)
        let before = bench.energy.total
        for _ in 0..<10 {
            bench.tap(0)
            bench.run(for: .seconds(360))
        }
        #expect(bench.clock.now > Instant(microseconds: 3_600_000_000))
        #expect(bench.energy.total > before)
        let days = bench.profile.energy.batteryDays(bench.energy, per: bench.clock.now - .start)
        #expect(days > 7, "\(days) days, \(bench.energy)")
    }
}
