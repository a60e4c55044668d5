import Watch
import WatchLink

/// The display at the end of a serial port: 20 bytes a line, as much as the memory LCD takes over SPI.
///
/// It is driven as on a chip with a DMA engine, such as the nRF52832's EasyDMA: the processor frames a line into one of two
/// transfer buffers and hands that over, while the other may still be on its way. This machine has no such engine, so
/// `transfer` stands in for it and for the bus: the work of the processor is `frame`.
struct PanelPort {
    /// The lines of a run on the board's timer.
    struct Run {
        /// Lines sent.
        var lines: UInt32 = 0
        var first: UInt32 = 0
        var last: UInt32 = 0

        mutating func hand(at ticks: UInt32) {
            if lines == 0 { first = ticks }
            last = ticks
            lines &+= 1
        }
    }

    /// Bytes sent since the start.
    private(set) var sentBytes: UInt32 = 0
    /// The run that goes on.
    var run = Run()
    /// Two transfer buffers: the mark, the line's number, 18 bytes of pixels; the first byte is the lowest of its word.
    private let buffers: FixedArray<UInt32>
    /// Where the buffer begins that is framed next.
    private var next = 0

    /// What a line begins with.
    private static var lineMark: UInt32 { 0xA5 }
    /// Words of a transfer buffer.
    private static var words: Int { 5 }

    init(arena: inout MemoryArena) {
        buffers = arena.take(2 * PanelPort.words, of: 0)
    }

    /// Frames a line in the buffer whose turn it is, and returns where it begins.
    mutating func frame(_ line: Int, _ pixels: Span<UInt8>) -> Int {
        precondition(pixels.count == PanelGeometry.bytesPerLine, "a line has another length")
        let turn = next
        next = PanelPort.words &- turn
        // Words, for the call of the C library that copies bytes costs more than the line.
        let bytes = pixels.bytes
        let first = UInt32(bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt16.self))
        buffers[turn] = PanelPort.lineMark | UInt32(truncatingIfNeeded: line) &<< 8 | first &<< 16
        for word in 1..<PanelPort.words {
            buffers[turn &+ word] = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 &* word &- 2, as: UInt32.self)
        }
        return turn
    }

    /// What the engine and the bus do by themselves with a buffer.
    mutating func transfer(_ buffer: Int) {
        for word in 0..<PanelPort.words { send(buffers[buffer &+ word]) }
        sentBytes &+= UInt32(truncatingIfNeeded: 2 + PanelGeometry.bytesPerLine)
    }

    private func send(_ word: UInt32) {
        for byte: UInt32 in 0..<4 { UART.panel.send(UInt8(truncatingIfNeeded: word &>> (8 &* byte))) }
    }
}
