import BoardSupport

/// SPIM0 (chapter 31), which the panel and the flash chip share. It uses SPI mode 0, highest bit first. EasyDMA reaches only
/// RAM, and transfers at most 255 bytes at a time. The interrupt handler starts the next part of a longer transfer.
package enum SPIBus {
    enum Speed: UInt32 {
        case oneMegahertz = 0x1000_0000
        case eightMegahertz = 0x8000_0000
    }

    private enum Direction: UInt32 {
        case out = 0
        case `in` = 1
    }

    private static var next: Register { SharedMemory.word(.spiNext) }
    private static var left: Register { SharedMemory.word(.spiLeft) }
    private static var direction: Register { SharedMemory.word(.spiDirection) }
    private static var busy: Register { SharedMemory.word(.spiBusy) }
    private static var ended: Register { Part.spi[0x118] }

    static func start() {
        Pin.spiClock.drive(false)
        Pin.spiOut.drive(false)
        Pin.spiIn.listen(.none)
        Part.spi[0x508].value = Pin.spiClock.selection
        Part.spi[0x50C].value = Pin.spiOut.selection
        Part.spi[0x510].value = Pin.spiIn.selection
        Part.spi[0x554].value = 0
        Part.spi[0x5C0].value = 0xFF
        Part.spi[0x500].value = 7
        ended.value = 0
        Part.spi[0x304].value = 1 &<< 6
        Part.enable(.spi)
    }

    static func setSpeed(_ speed: Speed) {
        Part.spi[0x524].value = speed.rawValue
    }

    /// Waits for the previous transfer to end, starts this one, and returns. `bytes` must not change until `finish` returns.
    static func send(_ bytes: UnsafeRawPointer, count: Int) {
        begin(.out, UInt32(truncatingIfNeeded: UInt(bitPattern: bytes)), count)
    }

    static func receive(_ bytes: UnsafeRawPointer, count: Int) {
        begin(.in, UInt32(truncatingIfNeeded: UInt(bitPattern: bytes)), count)
        finish()
    }

    /// Sends the lowest `count` bytes of a word, the lowest byte first. Returns when all are sent.
    static func command(_ bytes: UInt32, count: Int) {
        finish()
        SharedMemory.word(.spiCommand).value = bytes
        begin(.out, SharedMemory.dmaAddress(of: .spiCommand), count)
        finish()
    }

    @inline(never)
    private static func begin(_ way: Direction, _ address: UInt32, _ count: Int) {
        check(address >= 0x2000_0000, "EasyDMA reaches RAM alone")
        finish()
        next.value = address
        left.value = UInt32(truncatingIfNeeded: count)
        direction.value = way.rawValue
        busy.value = 1
        startPart()
    }

    /// Waits until the present transfer has ended. Returns at once if there is none.
    @inline(never)
    static func finish() {
        while busy.value != 0 { Part.sleep(if: { busy.value != 0 }) }
    }

    private static func startPart() {
        let count = min(left.value, 255)
        let isOut = direction.value == Direction.out.rawValue
        let (pointers, others): (UInt, UInt) = isOut ? (0x544, 0x534) : (0x534, 0x544)
        Part.spi[pointers].value = next.value
        Part.spi[pointers + 4].value = count
        // A receive of one byte reads two (erratum 58). The extra byte is harmless: deselecting the chip ends its read.
        Part.spi[others + 4].value = 0
        next.value = next.value &+ count
        left.value = left.value &- count
        Part.spi[0x010].value = 1
    }

    package static func handle() {
        ended.value = 0
        if left.value == 0 { busy.value = 0 } else { startPart() }
    }
}
