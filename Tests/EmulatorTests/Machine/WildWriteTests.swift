import Testing

@testable import Emulator

@Suite("wild writes")
struct WildWriteTests {
    @Test(
        "a program that writes anything to any register neither stops the emulator nor hangs it",
        arguments: 0..<8 as Range<UInt64>)
    func wild(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var bench = PartBench()
        bench.startClocks()
        func number(below limit: UInt64) -> UInt32 { UInt32(random.next() % limit) }
        func base() -> UInt32 { 0x4000_0000 + number(below: 0x27) * 0x1000 }
        for _ in 0..<10_000 {
            let value =
                switch number(below: 6) {
                case 0: UInt32(truncatingIfNeeded: random.next())
                case 1: number(below: 9)
                case 2: PartBench.ram + number(below: 70_000)
                case 3: base() + 0x100 + 4 * number(below: 32)
                case 4: base() + number(below: 128)
                case _: UInt32(1)
                }
            let area: UInt32 = [0x000, 0x100, 0x200, 0x300, 0x500, 0x540][Int(number(below: 6))]
            bench.write(value, base() + area + 4 * number(below: 32))
            bench.write(base() + 0x100 + 4 * number(below: 32), 0x4001_F510 + 8 * number(below: 20))
            bench.write(base() + 4 * number(below: 32), 0x4001_F514 + 8 * number(below: 20))
            bench.write(.max, 0x4001_F504)
            bench.receive([1])
            bench.wait(UInt64(number(below: 200)))
            if bench.part.busyUntil == .max { bench.part.reset = .pin }
            if bench.part.reset != nil { bench.part.restart(at: bench.now) }
        }
        #expect(!bench.part.unmodelled.isEmpty)
    }
}
