import BoardSupport
import Watch
import WatchLink

/// The driver of the memory LCD LS013B7DH05, which is on SPI at 1 MHz (its data sheet, section 6). The panel has 144 x 168
/// pixels of one bit.
///
/// The panel expects a mode byte and then, for each line, the line's number, 18 bytes of pixels and a byte that it ignores. The
/// driver sends a mode byte before each line. The panel ignores all mode bytes but the first.
struct MemoryLCD: WatchPanel, ~Copyable {
    private var buffers: PanelTransfer
    /// The polarity of the voltage on the liquid crystal: 0, or a bit of the mode byte. It must change once a second, or the
    /// panel takes damage.
    private var polarity: UInt32 = 0
    private var polarityDue = Instant.start

    private static var write: UInt32 { 0x80 }
    private static var otherPolarity: UInt32 { 0x40 }

    init(arena: inout MemoryArena) {
        buffers = PanelTransfer(arena: &arena)
        Pin.panelSelect.drive(false)
        Pin.panelShows.drive(true)
        Pin.crownA.watch(.up)
        Pin.crownB.watch(.up)
        Pin.crownPress.watch(.up)
        Pin.sideButton.watch(.up)
    }

    static var hasCrown: Bool { true }

    static func pixel(x: Int, y: Int) -> (x: Int16, y: Int16) {
        (Int16(truncatingIfNeeded: x), Int16(truncatingIfNeeded: y))
    }

    /// Returns true, because the panel reflects light and is always on.
    mutating func wake(at now: Instant) -> Bool { true }

    mutating func attend(at now: Instant) -> Instant {
        if now >= polarityDue {
            polarity ^= MemoryLCD.otherPolarity
            beginLines()
            SPIBus.command(polarity, count: 2)
            deselect()
            polarityDue = now + .milliseconds(1_000)
        }
        return polarityDue
    }

    @inline(never)
    mutating func beginLines() {
        SPIBus.setSpeed(.oneMegahertz)
        Pin.panelSelect.set(true)
        // The data sheet's tsSCS, the setup time of the select line.
        Part.delay(microseconds: 3)
    }

    @inline(never)
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        let number = MemoryLCD.reversed(UInt32(truncatingIfNeeded: line &+ 1))
        let buffer = buffers.frame(head: MemoryLCD.write | polarity | number &<< 8, pixels)
        SPIBus.send(buffers.address(of: buffer), count: PanelTransfer.bytes)
    }

    @inline(never)
    mutating func finishLines() {
        SPIBus.command(0, count: 2)
        deselect()
    }

    private func deselect() {
        // The data sheet's thSCS, the hold time of the select line.
        Part.delay(microseconds: 1)
        Pin.panelSelect.set(false)
    }

    /// Reverses the bits of a line's number. The panel expects its lowest bit first, but the bus sends the highest bit first.
    private static func reversed(_ byte: UInt32) -> UInt32 {
        let pairs = byte &>> 4 & 0x0F | byte &<< 4 & 0xF0
        let bits = pairs &>> 2 & 0x33 | pairs &<< 2 & 0xCC
        return bits &>> 1 & 0x55 | bits &<< 1 & 0xAA
    }
}
