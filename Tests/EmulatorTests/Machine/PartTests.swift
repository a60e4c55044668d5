import Testing

@testable import Emulator

@Suite("the nRF52832")
struct PartTests {
    static let nvmc: UInt32 = 0x4001_E000
    static let watchdog: UInt32 = 0x4001_0000

    @Test("a part after power-on does nothing by itself")
    func rests() {
        #expect(PartBench().part.due == .max)
    }

    @Test("FICR describes the part, and its identity comes from the seed")
    func identity() {
        var bench = PartBench()
        #expect([0x10, 0x14].map { bench.read(0x1000_0000 + $0) } == [4096, 128])
        #expect(bench.read(0x1000_0100) == 0x52832)
        #expect(bench.read(0x1000_010C) == 64)
        var other = bench
        other.part = NRF52832(board: BoardDevices(), seed: 8)
        #expect(bench.read(0x1000_0060) != other.read(0x1000_0060))
        other.part = NRF52832(board: BoardDevices(), seed: 7)
        #expect(bench.read(0x1000_00A4) == other.read(0x1000_00A4))
    }

    @Test("bytes of a register can be read, and not written")
    func bytes() {
        var bench = PartBench()
        let word = bench.read(0x1000_00A4) ?? 0
        #expect(bench.part.read(0x1000_00A6, size: 1, at: 0, &bench.memory) == word >> 16 & 0xFF)
        #expect(bench.part.read(0x1000_00A6, size: 2, at: 0, &bench.memory) == word >> 16)
        let isWritten = bench.part.write(1, to: 0x4000_051C, size: 1, at: 0, &bench.memory)
        #expect(!isWritten)
    }

    @Test("a start-up code that finds PSELRESET erased programs it and resets once")
    func blankUser() {
        var bench = PartBench()
        for register: UInt32 in [0x1000_1200, 0x1000_1204] {
            #expect(bench.read(register) == .max)
            #expect(bench.write(21, register) == false)
            bench.write(1, Self.nvmc + 0x504)
            #expect(bench.write(21, register) == true)
            bench.write(0, Self.nvmc + 0x504)
            #expect(bench.part.busyUntil > bench.now)
            bench.now = bench.part.busyUntil
        }
        bench.part.reset = .software
        bench.part.restart(at: bench.now)
        #expect(bench.read(0x1000_1200) == 21)
        #expect(bench.read(0x1000_1204) == 21)
        #expect(bench.read(0x4000_0400) == 4)
    }

    @Test("UICR has the words of the image")
    func configuration() {
        var bench = PartBench()
        let words = [UInt32](repeating: .max, count: 0x80) + [18, 18]
        bench.part.programConfiguration(words)
        #expect(bench.read(0x1000_1200) == 18)
        #expect(bench.read(0x1000_1080) == .max)
    }

    @Test("the reset pin resets on its falling edge")
    func resetPin() {
        var bench = PartBench()
        bench.part.programConfiguration([])
        bench.write(3 << 2, 0x5000_0000 + 0x754)
        #expect(bench.part.reset == nil)
        bench.write(1 << 2, 0x5000_0000 + 0x754)
        #expect(bench.part.reset == .pin)
    }

    @Test("flash is programmed and erased in the longest time of the specification, if CONFIG allows it")
    func flash() {
        var bench = PartBench()
        #expect(bench.write(0x1234, 0x1000) == false)
        bench.write(1, Self.nvmc + 0x504)
        #expect(bench.write(0xFFFF_1234, 0x1000) == true)
        #expect(bench.part.busyUntil == 338 * 64)
        bench.now = bench.part.busyUntil
        #expect(bench.read(Self.nvmc + 0x400) == 1)
        #expect(bench.write(0x00FF_FF34, 0x1000) == true)
        #expect(bench.memory.word(at: 0x1000) == 0x00FF_1234)
        #expect(bench.write(0, 0x8000) == false)
        bench.now = bench.part.busyUntil
        bench.write(2, Self.nvmc + 0x504)
        bench.write(0x1000, Self.nvmc + 0x508)
        #expect(bench.part.busyUntil == bench.now + 89_700 * 64)
        #expect(bench.memory.word(at: 0x1000) == .max)
        #expect(bench.memory.changedFlash == 0x1000..<0x2000)
    }

    @Test("the watchdog resets after (CRV + 1) / 32,768 s, and says what fed it last")
    func watchdogResets() {
        var bench = PartBench()
        bench.write(32_767, Self.watchdog + 0x504)
        bench.write(1, Self.watchdog)
        bench.wait(63_000_000)
        bench.part.signals.programCounter = 0x1_2344
        bench.write(0x6E52_4635, Self.watchdog + 0x600)
        bench.wait(63_900_000)
        #expect(bench.part.reset == nil)
        bench.wait(200_000)
        #expect(bench.part.reset == .watchdog)
        #expect(bench.part.watchdog.lastFeeding == .init(cycle: 63_000_000, programCounter: 0x1_2344))
        bench.part.restart(at: bench.now)
        #expect(bench.read(0x4000_0400) == 2)
        #expect(bench.read(Self.watchdog + 0x400) == 0)
    }

    @Test("a wrong value, or one request of two, does not feed the watchdog")
    func watchdogRefuses() {
        var bench = PartBench()
        bench.write(32_767, Self.watchdog + 0x504)
        bench.write(3, Self.watchdog + 0x508)
        bench.write(1, Self.watchdog)
        bench.write(1, Self.watchdog + 0x600)
        bench.write(0x6E52_4635, Self.watchdog + 0x604)
        #expect(bench.read(Self.watchdog + 0x404) == 1)
        #expect(bench.part.watchdog.lastFeeding == nil)
        bench.write(15, Self.watchdog + 0x504)
        #expect(bench.read(Self.watchdog + 0x504) == 32_767)
    }

    @Test("a watchdog that pauses while the core sleeps is not modelled")
    func watchdogPauses() {
        var bench = PartBench()
        bench.write(0, Self.watchdog + 0x50C)
        #expect(bench.part.unmodelled.map(\.name) == ["WDT.CONFIG"])
    }

    @Test("a software reset leaves the watchdog running")
    func watchdogSurvives() {
        var bench = PartBench()
        bench.write(32_767, Self.watchdog + 0x504)
        bench.write(1, Self.watchdog)
        bench.wait(32_000_000)
        bench.part.reset = .software
        bench.part.restart(at: bench.now)
        bench.wait(32_000_000 + 5_000)
        #expect(bench.part.reset == .watchdog)
    }

    @Test(
        "a random byte takes 30 us, or 120 us with bias correction, after 128 us",
        arguments: [(0, 30), (1, 120)] as [(UInt32, UInt64)])
    func random(corrected: UInt32, microseconds: UInt64) {
        var bench = PartBench()
        bench.write(corrected, 0x4000_D504)
        bench.write(1, 0x4000_D000)
        #expect(bench.cycles(upTo: 0x4000_D100) == (128 + microseconds) * 64)
        bench.write(0, 0x4000_D100)
        #expect(bench.cycles(upTo: 0x4000_D100) == microseconds * 64)
    }

    @Test("the converter samples the supply in the acquisition time and 2 us")
    func converter() {
        var bench = PartBench()
        let converter: UInt32 = 0x4000_7000
        bench.write(1, converter + 0x500)
        bench.write(9, converter + 0x510)
        // Gain 1/6, internal reference, 40 us.
        bench.write(5 << 16, converter + 0x518)
        bench.write(2, converter + 0x5F0)
        bench.write(PartBench.ram, converter + 0x62C)
        bench.write(1, converter + 0x630)
        bench.write(1, converter)
        #expect(bench.read(converter + 0x100) == 1)
        bench.write(1, converter + 0x004)
        #expect(bench.cycles(upTo: converter + 0x104) == 42 * 64)
        // 3.3 V / 6 / 0.6 V * 2^12.
        #expect(bench.memory.word(at: PartBench.ram).map { $0 & 0xFFFF } == 3754)
        #expect(bench.read(converter + 0x634) == 1)
        bench.write(1, converter + 0x008)
        #expect(bench.read(converter + 0x114) == 1)
    }

    @Test("the thermometer takes 36 us")
    func thermometer() {
        var bench = PartBench()
        bench.write(1, 0x4000_C000)
        #expect(bench.cycles(upTo: 0x4000_C100) == 36 * 64)
        #expect(bench.read(0x4000_C508) == 100)
    }

    @Test("a register that is not modelled is reported once by name and program counter, and reads as 0")
    func unmodelled() {
        var bench = PartBench()
        bench.part.signals.programCounter = 0x4000
        for _ in 0..<2 { #expect(bench.read(0x4001_3500) == 0) }
        bench.write(1, 0x4001_3500)
        #expect(bench.part.unmodelled.map(\.name) == ["COMP.ENABLE", "COMP.ENABLE"])
        #expect(bench.part.unmodelled.map(\.kind) == [.read, .write])
        #expect(bench.part.unmodelled[0].programCounter == 0x4000)
    }

    @Test("a strict part refuses it, and no part has anything outside of its buses")
    func strict() {
        var bench = PartBench()
        #expect(bench.read(0x6000_0000) == nil)
        bench.part.isStrict = true
        #expect(bench.read(0x4001_3500) == nil)
        #expect(bench.write(1, 0x4001_3500) == false)
        // A word for an erratum stays allowed.
        #expect(bench.write(1, 0x4000_0EE4) == true)
    }

    @Test("a copy of the part is a saved state: it continues with the same bytes at the same times")
    func saves() {
        var bench = PartBench()
        bench.write(1, 0x4000_D000)
        var copy = bench
        func bytes(_ bench: inout PartBench) -> [UInt64] {
            (0..<20).flatMap { _ -> [UInt64] in
                bench.write(0, 0x4000_D100)
                let time = bench.cycles(upTo: 0x4000_D100) ?? 0
                return [time, UInt64(bench.read(0x4000_D508) ?? 0)]
            }
        }
        #expect(bytes(&bench) == bytes(&copy))
    }

    @Test("a change of the board is seen at the next instruction")
    func boardChanges() {
        var bench = PartBench()
        bench.part.board = BoardDevices()
        #expect(bench.part.due == 0)
        bench.wait(1)
        #expect(bench.part.due == .max)
    }
}
