import Testing

@testable import Emulator

@Suite("the counters of the nRF52832")
struct TimeTests {
    static let timer: UInt32 = 0x4000_8000
    static let rtc: UInt32 = 0x4001_1000
    static let ppi: UInt32 = 0x4001_F000

    private static func cycle(ofTick tick: UInt64) -> UInt64 { tick * 64_000_000 / 32_768 }

    @Test("a TIMER counts 16 MHz through its prescaler", arguments: 0...9 as ClosedRange<UInt32>)
    func prescaler(prescaler: UInt32) {
        var bench = PartBench()
        bench.write(prescaler, Self.timer + 0x510)
        bench.write(100, Self.timer + 0x540)
        bench.write(1, Self.timer)
        #expect(bench.cycles(upTo: Self.timer + 0x140) == 100 * (4 << UInt64(prescaler)))
    }

    @Test(
        "a TIMER wraps at its width", arguments: [(1, 8), (0, 16), (2, 24)] as [(UInt32, UInt64)])
    func width(mode: UInt32, bits: UInt64) {
        var bench = PartBench()
        bench.write(mode, Self.timer + 0x508)
        bench.write(0, Self.timer + 0x510)
        bench.write(0, Self.timer + 0x540)
        bench.write(1, Self.timer)
        // The timer starts at the compared value, so it matches when the count has wrapped once.
        bench.wait((1 << bits) * 4 - 1)
        #expect(bench.read(Self.timer + 0x140) == 0)
        bench.wait(1)
        #expect(bench.read(Self.timer + 0x140) == 1)
    }

    @Test("the shortcut CLEAR makes a period, and STOP ends it")
    func shortcuts() {
        var bench = PartBench()
        bench.write(4, Self.timer + 0x510)
        bench.write(1000, Self.timer + 0x540)
        bench.write(1, Self.timer + 0x200)
        bench.write(1, Self.timer)
        for _ in 0..<3 {
            #expect(bench.cycles(upTo: Self.timer + 0x140) == 64_000)
            bench.write(0, Self.timer + 0x140)
        }
        bench.write(1 << 8, Self.timer + 0x200)
        #expect(bench.cycles(upTo: Self.timer + 0x140) == 64_000)
        bench.wait(640)
        bench.write(1, Self.timer + 0x044)
        #expect(bench.read(Self.timer + 0x544) == 1000)
        #expect(bench.part.due == .max)
    }

    @Test("CAPTURE takes the value at its cycle")
    func capture() {
        var bench = PartBench()
        bench.write(4, Self.timer + 0x510)
        bench.write(1, Self.timer)
        bench.wait(64 * 123 + 63)
        bench.write(1, Self.timer + 0x04C)
        #expect(bench.read(Self.timer + 0x54C) == 123)
    }

    @Test("a counter counts COUNT tasks alone")
    func counter() {
        var bench = PartBench()
        bench.write(1, Self.timer + 0x504)
        bench.write(2, Self.timer + 0x540)
        bench.write(1, Self.timer)
        bench.wait(100_000)
        for _ in 0..<2 { bench.write(1, Self.timer + 0x008) }
        bench.write(1, Self.timer + 0x044)
        #expect(bench.read(Self.timer + 0x544) == 2)
        #expect(bench.read(Self.timer + 0x140) == 1)
    }

    @Test("TIMER3 has six channels, TIMER0 has four")
    func channels() {
        var bench = PartBench()
        bench.write(5, 0x4001_A554)
        #expect(bench.read(0x4001_A554) == 5)
        #expect(bench.part.unmodelled.isEmpty)
        bench.write(5, Self.timer + 0x554)
        #expect(bench.part.unmodelled.map(\.name) == ["TIMER0.CC[5]"])
    }

    private static func rtcBench(prescaler: UInt32 = 0) -> PartBench {
        var bench = PartBench()
        bench.startClocks()
        bench.now = cycle(ofTick: 20_000)
        bench.wait(0)
        bench.write(prescaler, rtc + 0x508)
        bench.write(1, rtc)
        return bench
    }

    /// The tick at which `rtcBench` starts the RTC. By the Product Specification (section 25.8), the first step follows
    /// START after 15 to 46 us. The effect of TRIGOVRFLW also takes 15 to 46 us.
    private static let firstTick: UInt64 = 20_000

    @Test("an RTC steps exactly on the ticks of its prescaled clock", arguments: [0, 32, 4095] as [UInt32])
    func ticks(prescaler: UInt32) {
        var bench = Self.rtcBench(prescaler: prescaler)
        for value: UInt32 in 1...5 {
            let tick = Self.firstTick + UInt64(value) * UInt64(prescaler + 1)
            bench.now = Self.cycle(ofTick: tick) - 1
            #expect(bench.read(Self.rtc + 0x504) == value - 1)
            bench.now += 1
            #expect(bench.read(Self.rtc + 0x504) == value)
        }
    }

    @Test("a comparison matches when the counter steps to its value")
    func compares() {
        var bench = Self.rtcBench()
        bench.write(1 << 16, Self.rtc + 0x344)
        bench.write(100, Self.rtc + 0x540)
        _ = bench.cycles(upTo: Self.rtc + 0x140)
        #expect(bench.now == Self.cycle(ofTick: Self.firstTick + 100))
        #expect(bench.part.interrupts == 0)
    }

    @Test(
        "a comparison with COUNTER + 2 always matches, whenever it is written",
        arguments: [0, 130, 970, 980, 1500, 1950])
    func nearest(phase: Int) {
        var bench = Self.rtcBench()
        bench.write(1 << 16, Self.rtc + 0x304)
        bench.now = Self.cycle(ofTick: Self.firstTick + 50) + UInt64(phase)
        #expect(bench.read(Self.rtc + 0x504) == 50)
        bench.write(52, Self.rtc + 0x540)
        _ = bench.cycles(upTo: Self.rtc + 0x140)
        #expect(bench.now == Self.cycle(ofTick: Self.firstTick + 52))
        #expect(bench.part.interrupts == 1 << 0x11)
    }

    @Test("a comparison with COUNTER + 1 is too late in the second half of a tick")
    func tooLate() {
        var bench = Self.rtcBench()
        bench.write(1 << 16, Self.rtc + 0x304)
        bench.now = Self.cycle(ofTick: Self.firstTick + 50) + 1500
        bench.write(51, Self.rtc + 0x540)
        bench.wait(64_000)
        #expect(bench.read(Self.rtc + 0x140) == 0)
    }

    @Test("events that neither INTEN nor EVTEN enables do not occur, and cost nothing")
    func disabled() {
        var bench = Self.rtcBench()
        bench.write(100, Self.rtc + 0x540)
        #expect(bench.part.due == .max)
        bench.wait(64_000_000)
        #expect(bench.read(Self.rtc + 0x140) == 0)
    }

    @Test("TRIGOVRFLW leads to OVRFLW after 16 steps, and TICK comes with each step")
    func overflow() {
        var bench = Self.rtcBench()
        bench.write(1, Self.rtc + 0x00C)
        bench.write(3, Self.rtc + 0x304)
        _ = bench.cycles(upTo: Self.rtc + 0x100)
        #expect(bench.now == Self.cycle(ofTick: Self.firstTick + 1 + 1))
        _ = bench.cycles(upTo: Self.rtc + 0x104)
        #expect(bench.now == Self.cycle(ofTick: Self.firstTick + 1 + 16))
    }

    @Test("an RTC without LFCLK stands still")
    func noClock() {
        var bench = PartBench()
        bench.write(1, Self.rtc)
        bench.wait(64_000)
        #expect(bench.read(Self.rtc + 0x504) == 0)
        bench.write(1, 0x4000_0008)
        bench.wait(64_000)
        #expect(bench.read(Self.rtc + 0x504) == 31)
    }

    @Test("channel 31 starts TIMER0 at a comparison of RTC0, and a programmed channel captures at another one")
    func chain() {
        var bench = PartBench()
        bench.startClocks()
        let rtc0: UInt32 = 0x4000_B000
        bench.write(4, Self.timer + 0x510)
        // RTC0.COMPARE[1] captures in TIMER0.CC[3].
        bench.write(rtc0 + 0x144, Self.ppi + 0x510)
        bench.write(Self.timer + 0x04C, Self.ppi + 0x514)
        bench.write(1 << 31 | 1, Self.ppi + 0x504)
        bench.write(3 << 16, rtc0 + 0x344)
        bench.write(10, rtc0 + 0x540)
        bench.write(42, rtc0 + 0x544)
        bench.write(1, rtc0)
        bench.wait(100 * 1954)
        // 32 ticks of 32,768 Hz are 976.5625 us.
        #expect(bench.read(Self.timer + 0x54C) == 976)
    }

    @Test("a fork triggers a second task, and a group disables its channels")
    func forks() {
        var bench = PartBench()
        // SPIM0.STOPPED stops SPIM1 by channel 1, and SPIM2 by the channel's fork.
        let buses: [UInt32] = [0x4000_3000, 0x4000_4000, 0x4002_3000]
        for bus in buses { bench.write(7, bus + 0x500) }
        bench.write(buses[0] + 0x104, Self.ppi + 0x518)
        bench.write(buses[1] + 0x014, Self.ppi + 0x51C)
        bench.write(buses[2] + 0x014, Self.ppi + 0x914)
        bench.write(1 << 1, Self.ppi + 0x500)
        bench.write(1, buses[0] + 0x014)
        #expect(buses.allSatisfy { bench.read($0 + 0x104) == 1 })
        bench.write(1 << 1, Self.ppi + 0x800)
        bench.write(1, Self.ppi + 0x004)
        #expect(bench.read(Self.ppi + 0x500) == 0)
    }

    @Test("a circle of channels ends")
    func circle() {
        var bench = PartBench()
        let bus: UInt32 = 0x4000_3000
        bench.write(7, bus + 0x500)
        bench.write(bus + 0x104, Self.ppi + 0x510)
        bench.write(bus + 0x014, Self.ppi + 0x514)
        bench.write(1, Self.ppi + 0x500)
        #expect(bench.write(1, bus + 0x014) == true)
    }

    @Test("the RC oscillator calibrates for 16 ms while the crystal of HFCLK runs")
    func calibration() {
        var bench = PartBench()
        bench.write(1, 0x4000_0010)
        #expect(bench.cycles(upTo: 0x4000_010C) == nil)
        bench.write(1, 0x4000_0000)
        _ = bench.cycles(upTo: 0x4000_0100)
        bench.write(1, 0x4000_0010)
        #expect(bench.cycles(upTo: 0x4000_010C) == 16 * 64_000)
    }

    @Test("the clocks start in the time of their oscillators")
    func clocks() {
        var bench = PartBench()
        bench.write(1, 0x4000_0000)
        #expect(bench.read(0x4000_040C) == 1 << 16)
        // The crystal of HFCLK starts in 0.36 ms.
        #expect(bench.cycles(upTo: 0x4000_0100) == 23_040)
        #expect(bench.read(0x4000_040C) == 0x1_0001)
        // If the clock already runs, its event comes at once.
        bench.write(0, 0x4000_0100)
        bench.write(1, 0x4000_0000)
        #expect(bench.read(0x4000_0100) == 1)
        bench.write(1, 0x4000_0518)
        bench.write(1, 0x4000_0008)
        // The crystal of LFCLK starts in 0.25 s.
        #expect(bench.cycles(upTo: 0x4000_0104) == 16_000_000)
        #expect(bench.read(0x4000_0418) == 0x1_0001)
        bench.write(1, 0x4000_0004)
        #expect(bench.read(0x4000_040C) == 1 << 16)
    }
}
