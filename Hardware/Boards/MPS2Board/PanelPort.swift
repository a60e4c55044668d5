import BoardSupport
import Watch
import WatchLink

/// The display, at the end of a serial port. A line takes 20 bytes, as for the memory LCD over SPI.
///
/// It is driven as on a chip with a DMA engine: see `PanelTransfer`. This machine has none, so `transfer` stands for the engine
/// and the bus, and `frame` is the processor's work.
struct PanelPort {
    /// A run of lines, with the board's timer at the first and the last of them.
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

    /// How many bytes were sent since the start.
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

    /// Sends a framed line, which is the work of a DMA engine and the bus.
    mutating func transfer(_ buffer: Int) {
        for word in 0..<PanelTransfer.words { send(buffers[buffer &+ word]) }
        sentBytes &+= UInt32(truncatingIfNeeded: PanelTransfer.bytes)
    }

    private func send(_ word: UInt32) {
        for byte: UInt32 in 0..<4 { UART.panel.send(UInt8(truncatingIfNeeded: word &>> (8 &* byte))) }
    }
}
