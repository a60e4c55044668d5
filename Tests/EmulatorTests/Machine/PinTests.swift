import Testing

@testable import Emulator

@Suite("the pins of the nRF52832")
struct PinTests {
    static let gpio: UInt32 = 0x5000_0000
    static let gpiote: UInt32 = 0x4000_6000

    private static func configure(_ pin: UInt32, _ word: UInt32, _ bench: inout PartBench) {
        bench.write(word, gpio + 0x700 + 4 * pin)
    }

    @Test("a pin that nothing drives has the level of its pull, and reads as 0 while its input is disconnected")
    func pulls() {
        var bench = PartBench()
        Self.configure(3, 3 << 2, &bench)
        Self.configure(4, 1 << 2, &bench)
        Self.configure(5, 3 << 2 | 2, &bench)
        #expect(bench.read(Self.gpio + 0x510) == 1 << 3)
    }

    @Test("an output has its level, and an open drain that is high is not driven")
    func outputs() {
        var bench = PartBench()
        Self.configure(6, 1, &bench)
        // S0D1 with a pull up.
        Self.configure(7, 1 | 3 << 2 | 6 << 8, &bench)
        bench.write(1 << 6 | 1 << 7, Self.gpio + 0x508)
        #expect(bench.read(Self.gpio + 0x510) == 1 << 6 | 1 << 7)
        bench.write(1 << 7, Self.gpio + 0x50C)
        #expect(bench.read(Self.gpio + 0x510) == 1 << 6)
        #expect(bench.read(Self.gpio + 0x514) == 1 << 6 | 1 << 7)
    }

    @Test("PORT comes with the rising edge of DETECT, and not again while a pin keeps it high")
    func port() {
        var bench = PartBench()
        bench.write(1 << 31, Self.gpiote + 0x304)
        // Two pins sense low; their pulls change their levels.
        Self.configure(2, 3 << 2 | 3 << 16, &bench)
        Self.configure(3, 3 << 2 | 3 << 16, &bench)
        #expect(bench.read(Self.gpiote + 0x17C) == 0)
        Self.configure(2, 1 << 2 | 3 << 16, &bench)
        #expect(bench.part.interrupts == 1 << 6)
        bench.write(0, Self.gpiote + 0x17C)
        Self.configure(3, 1 << 2 | 3 << 16, &bench)
        #expect(bench.read(Self.gpiote + 0x17C) == 0)
        #expect(bench.read(Self.gpio + 0x520) == 1 << 2 | 1 << 3)
    }

    @Test("with LDETECT, each clearing of LATCH raises PORT again while a pin has its level")
    func latch() {
        var bench = PartBench()
        bench.write(1, Self.gpio + 0x524)
        Self.configure(2, 1 << 2 | 3 << 16, &bench)
        #expect(bench.read(Self.gpiote + 0x17C) == 1)
        bench.write(0, Self.gpiote + 0x17C)
        bench.write(1 << 2, Self.gpio + 0x520)
        #expect(bench.read(Self.gpiote + 0x17C) == 1)
        #expect(bench.read(Self.gpio + 0x520) == 1 << 2)
    }

    @Test(
        "a channel's event has its polarity",
        arguments: [(1, [1, 0]), (2, [0, 1]), (3, [1, 1])] as [(UInt32, [UInt32])])
    func polarity(polarity: UInt32, events: [UInt32]) {
        var bench = PartBench()
        Self.configure(9, 1, &bench)
        bench.write(1 | 9 << 8 | polarity << 16, Self.gpiote + 0x510)
        for (register, expected) in zip([0x508, 0x50C] as [UInt32], events) {
            bench.write(1 << 9, Self.gpio + register)
            #expect(bench.read(Self.gpiote + 0x100) == expected)
            bench.write(0, Self.gpiote + 0x100)
        }
    }

    @Test("a channel in task mode drives its pin")
    func tasks() {
        var bench = PartBench()
        Self.configure(10, 0, &bench)
        bench.write(3 | 10 << 8 | 3 << 16 | 1 << 20, Self.gpiote + 0x514)
        #expect(bench.read(Self.gpio + 0x510) == 1 << 10)
        bench.write(1, Self.gpiote + 0x004)
        #expect(bench.read(Self.gpio + 0x510) == 0)
        bench.write(1, Self.gpiote + 0x034)
        #expect(bench.read(Self.gpio + 0x510) == 1 << 10)
        bench.write(1, Self.gpiote + 0x064)
        #expect(bench.read(Self.gpio + 0x510) == 0)
    }

    @Test("System OFF ends with DETECT, and RESETREAS says so")
    func systemOff() {
        var bench = PartBench()
        bench.write(0x5A, 0x4000_051C)
        Self.configure(2, 3 << 2 | 3 << 16, &bench)
        bench.write(1, 0x4000_0500)
        #expect(bench.part.busyUntil == .max)
        #expect(bench.part.reset == nil)
        Self.configure(2, 1 << 2 | 3 << 16, &bench)
        #expect(bench.part.reset == .wake)
        bench.part.restart(at: bench.now)
        #expect(bench.part.busyUntil == 0)
        #expect(bench.read(0x4000_0400) == 1 << 16)
        #expect(bench.read(0x4000_051C) == 0x5A)
        #expect(bench.read(Self.gpio + 0x520) == 1 << 2)
    }

    @Test("a PWM drives its pin for its duty")
    func duty() {
        var bench = PartBench()
        let pwm: UInt32 = 0x4001_C000
        // The period begins high and falls after 250 of 1,000 ticks of 1 MHz.
        bench.store([250, 0x80])
        Self.configure(14, 0, &bench)
        bench.write(14, pwm + 0x560)
        bench.write(1, pwm + 0x500)
        bench.write(4, pwm + 0x50C)
        bench.write(1000, pwm + 0x508)
        bench.write(PartBench.ram, pwm + 0x520)
        bench.write(1, pwm + 0x524)
        bench.write(1, pwm + 0x008)
        var high = 0
        for _ in 0..<4000 {
            if bench.read(Self.gpio + 0x510) != 0 { high += 1 }
            bench.wait(64)
        }
        #expect(high == 1000)
        bench.write(1, pwm + 0x004)
        #expect(bench.cycles(upTo: pwm + 0x104) == 64_000)
        #expect(bench.read(Self.gpio + 0x510) == 0)
    }
}
