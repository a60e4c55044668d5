import BoardSupport
import Watch
import WatchLink

/// The display at the end of a serial port: 20 bytes a line, as much as the memory LCD takes over SPI.
///
/// It is driven as on a chip with a DMA engine: see `PanelTransfer`. This machine has none, so `transfer` stands in for
/// the engine and the bus. The processor's work is `frame`.
struct PanelPort {
    /// The lines of a run on the board's timer.
    struct Run {
        var lines: UInt32 = 0
        var first: UInt32 = 0
        var last: UInt32 = 0

        mutating func hand(at ticks: UInt32) {
            if lines == 0 { first = ticks }
            last = ticks
            lines &+= 1
        }
    }

    /// Since the start.
    private(set) var sentBytes: UInt32 = 0
    var run = Run()
    private var buffers: PanelTransfer

    private static var lineMark: UInt32 { 0xA5 }

    init(arena: inout MemoryArena) {
        buffers = PanelTransfer(arena: &arena)
    }

    /// Returns the place of the framed line.
    mutating func frame(_ line: Int, _ pixels: Span<UInt8>) -> Int {
        buffers.frame(head: PanelPort.lineMark | UInt32(truncatingIfNeeded: line) &<< 8, pixels)
    }

    /// The work of the engine and the bus.
    mutating func transfer(_ buffer: Int) {
        for word in 0..<PanelTransfer.words { send(buffers[buffer &+ word]) }
        sentBytes &+= UInt32(truncatingIfNeeded: PanelTransfer.bytes)
    }

    private func send(_ word: UInt32) {
        for byte: UInt32 in 0..<4 { UART.panel.send(UInt8(truncatingIfNeeded: word &>> (8 &* byte))) }
    }
}
