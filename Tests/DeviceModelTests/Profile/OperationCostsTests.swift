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
            processorMicroamperes: 4_000, panelLine: 2, programMicroamperes: 3_000, sectorErase: 50, hapticPattern: 7,
            radioEvent: 5, radioByte: 0.5)
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
        // The processor, the panel, the flash chip, the haptic, the events and the packets.
        #expect(energy.charge(of: work) == 8 + 8 + 56 + 21 + 30 + 20)
    }
}
