import Testing
import Watch
import WatchLink

@testable import DeviceModel

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
        let bench = try WatchBench(phone: SimulatedPhone(items: 60), handler: ShippingHandler())
        bench.connect()
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
