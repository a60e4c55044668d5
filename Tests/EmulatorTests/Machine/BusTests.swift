import Testing

@testable import Emulator

@Suite("the buses of the nRF52832")
struct BusTests {
    static let spi: UInt32 = 0x4000_3000
    static let twi: UInt32 = 0x4000_4000

    private static func spiBench(frequency: UInt32, sent: UInt32, received: UInt32) -> PartBench {
        var bench = PartBench()
        bench.write(frequency, spi + 0x524)
        bench.write(7, spi + 0x500)
        bench.write(PartBench.ram, spi + 0x544)
        bench.write(sent, spi + 0x548)
        bench.write(PartBench.ram + 0x100, spi + 0x534)
        bench.write(received, spi + 0x538)
        return bench
    }

    @Test(
        "a transfer takes 8 bits of its clock for each byte, and 1 us before the first",
        arguments: [(0x8000_0000, 8), (0x4000_0000, 4), (0x2000_0000, 2), (0x1000_0000, 1)] as [(UInt32, UInt64)])
    func spiTime(frequency: UInt32, megahertz: UInt64) {
        var bench = Self.spiBench(frequency: frequency, sent: 255, received: 0)
        bench.write(1, Self.spi + 0x010)
        #expect(bench.cycles(upTo: Self.spi + 0x118) == 64 + 255 * 8 * 64 / megahertz)
        #expect(bench.read(Self.spi + 0x54C) == 255)
    }

    @Test("a bus without a device reads as 0xFF, and the events of both buffers come")
    func spiRead() {
        var bench = Self.spiBench(frequency: 0x8000_0000, sent: 1, received: 3)
        bench.write(1, Self.spi + 0x010)
        #expect(bench.read(Self.spi + 0x14C) == 1)
        #expect(bench.cycles(upTo: Self.spi + 0x118) == 64 + 3 * 64)
        #expect(bench.memory.bytes(at: PartBench.ram + 0x100, count: 4).map(Array.init) == [0xFF, 0xFF, 0xFF, 0])
        #expect([0x110, 0x120].allSatisfy { bench.read(Self.spi + $0) == 1 })
    }

    @Test("STOP ends a transfer after the present byte, and AMOUNT has the bytes")
    func spiStop() {
        var bench = Self.spiBench(frequency: 0x8000_0000, sent: 100, received: 0)
        bench.write(1, Self.spi + 0x010)
        bench.wait(64 + 10 * 64 + 1)
        bench.write(1, Self.spi + 0x014)
        #expect(bench.cycles(upTo: Self.spi + 0x104) == 63)
        #expect(bench.read(Self.spi + 0x54C) == 11)
    }

    @Test("a suspended transfer takes as much longer as the suspension")
    func spiSuspend() {
        var bench = Self.spiBench(frequency: 0x8000_0000, sent: 100, received: 0)
        bench.write(1, Self.spi + 0x010)
        bench.wait(1000)
        bench.write(1, Self.spi + 0x01C)
        bench.wait(5000)
        #expect(bench.read(Self.spi + 0x118) == 0)
        bench.write(1, Self.spi + 0x020)
        #expect(bench.cycles(upTo: Self.spi + 0x118) == 64 + 6400 - 1000)
    }

    @Test("the interrupt line follows the events that INTEN enables")
    func spiInterrupt() {
        var bench = Self.spiBench(frequency: 0x8000_0000, sent: 1, received: 0)
        bench.write(1 << 6, Self.spi + 0x304)
        bench.write(1, Self.spi + 0x010)
        #expect(bench.part.interrupts == 0)
        bench.wait(128)
        #expect(bench.part.interrupts == 1 << 3)
        bench.write(0, Self.spi + 0x118)
        #expect(bench.part.interrupts == 0)
    }

    @Test("EasyDMA outside of RAM moves nothing, and is reported once", arguments: [0x100, 0x2001_0000, 0x2000_FFFF])
    func stray(pointer: UInt32) {
        var bench = Self.spiBench(frequency: 0x8000_0000, sent: 2, received: 0)
        bench.write(pointer, Self.spi + 0x544)
        for _ in 0..<2 {
            bench.write(1, Self.spi + 0x010)
            bench.wait(1000)
        }
        #expect(bench.part.unmodelled.map(\.kind) == [.transfer])
        #expect(bench.part.unmodelled.map(\.address) == [pointer])
    }

    private static func twiBench(frequency: UInt32 = 0x0640_0000) -> PartBench {
        var bench = PartBench()
        bench.write(frequency, twi + 0x524)
        bench.write(6, twi + 0x500)
        bench.write(0x15, twi + 0x588)
        bench.write(PartBench.ram, twi + 0x544)
        bench.write(1, twi + 0x548)
        return bench
    }

    @Test(
        "an address that no device acknowledges raises ERROR after the start and nine bits",
        arguments: [(0x0198_0000, 100), (0x0400_0000, 250), (0x0640_0000, 400)] as [(UInt32, UInt64)])
    func noDevice(frequency: UInt32, kilohertz: UInt64) {
        var bench = Self.twiBench(frequency: frequency)
        bench.write(1, Self.twi + 0x008)
        #expect(bench.read(Self.twi + 0x150) == 1)
        #expect(bench.cycles(upTo: Self.twi + 0x124) == 10 * 64_000 / kilohertz)
        #expect(bench.read(Self.twi + 0x4C4) == 2)
        bench.write(1, Self.twi + 0x014)
        #expect(bench.cycles(upTo: Self.twi + 0x104) == 64_000 / kilohertz)
        bench.write(2, Self.twi + 0x4C4)
        #expect(bench.read(Self.twi + 0x4C4) == 0)
    }

    @Test("STOP on a free bus is acknowledged at once")
    func idleStop() {
        var bench = Self.twiBench()
        bench.write(1, Self.twi + 0x014)
        #expect(bench.read(Self.twi + 0x104) == 1)
    }

    @Test("a mode without EasyDMA is not modelled")
    func legacy() {
        var bench = PartBench()
        bench.write(1, Self.spi + 0x500)
        #expect(bench.part.unmodelled.map(\.name) == ["SPIM0.ENABLE"])
    }

    static let serial: UInt32 = 0x4000_2000

    private static func serialBench(flowControl: Bool = false) -> PartBench {
        var bench = PartBench()
        // 1 Mbaud: a byte of ten bits takes 640 cycles.
        bench.write(0x1000_0000, serial + 0x524)
        bench.write(flowControl ? 1 : 0, serial + 0x56C)
        bench.write(8, serial + 0x500)
        bench.write(PartBench.ram, serial + 0x544)
        bench.write(PartBench.ram + 0x100, serial + 0x534)
        bench.write(4, serial + 0x538)
        return bench
    }

    @Test("UARTE sends a byte in ten bits")
    func serialSends() {
        var bench = Self.serialBench()
        bench.store([1, 2, 3])
        bench.write(3, Self.serial + 0x548)
        bench.write(1, Self.serial + 0x008)
        #expect(bench.cycles(upTo: Self.serial + 0x120) == 3 * 640)
        let sent = (bench.part.takeSerial(), bench.part.takeSerial())
        #expect(sent == ([1, 2, 3], []))
    }

    @Test("UARTE receives a byte in ten bits, and ENDRX comes with the last byte of the buffer")
    func serialReceives() {
        var bench = Self.serialBench()
        bench.write(1, Self.serial + 0x000)
        bench.receive([9, 8, 7, 6])
        #expect(bench.cycles(upTo: Self.serial + 0x110) == 4 * 640)
        #expect(bench.memory.bytes(at: PartBench.ram + 0x100, count: 4).map(Array.init) == [9, 8, 7, 6])
    }

    @Test("without a buffer, the FIFO of UARTE keeps four bytes and the fifth is an overrun")
    func serialOverrun() {
        var bench = Self.serialBench()
        bench.receive([1, 2, 3, 4, 5])
        #expect(bench.cycles(upTo: Self.serial + 0x124) == 5 * 640)
        #expect(bench.read(Self.serial + 0x480) == 1)
        bench.write(1, Self.serial + 0x000)
        #expect(bench.memory.bytes(at: PartBench.ram + 0x100, count: 4).map(Array.init) == [1, 2, 3, 4])
    }

    @Test("with flow control, UARTE loses nothing while no buffer is there")
    func serialFlowControl() {
        var bench = Self.serialBench(flowControl: true)
        bench.receive([1, 2, 3, 4, 5])
        bench.wait(100_000)
        #expect(bench.read(Self.serial + 0x124) == 0)
        bench.write(1, Self.serial + 0x000)
        #expect(bench.cycles(upTo: Self.serial + 0x110) == 4 * 640)
    }

    @Test("STOPRX ends the buffer, and RXTO follows after four bytes")
    func serialStops() {
        var bench = Self.serialBench()
        bench.write(1, Self.serial + 0x000)
        bench.write(1, Self.serial + 0x004)
        #expect(bench.read(Self.serial + 0x110) == 1)
        #expect(bench.cycles(upTo: Self.serial + 0x144) == 4 * 640)
    }
}
