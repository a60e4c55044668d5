import Watch

/// The transfer buffers of a memory LCD that is sent to as on a chip with a DMA engine, such as the nRF52832's EasyDMA: the
/// processor frames a line into one of two buffers and hands that over, while the other may still be on its way.
package struct PanelTransfer {
    /// Two buffers: the mark, the line's number, 18 bytes of pixels; the first byte is the lowest of its word.
    private let buffers: FixedArray<UInt32>
    /// Where the buffer begins that is framed next.
    private var next = 0

    /// What a line begins with.
    private static var lineMark: UInt32 { 0xA5 }
    /// Words of a buffer.
    package static var words: Int { 5 }
    /// Bytes of a buffer.
    package static var bytes: Int { 4 &* words }

    package init(arena: inout MemoryArena) {
        buffers = arena.take(2 * PanelTransfer.words, of: 0)
    }

    /// Frames a line in the buffer whose turn it is, and returns where it begins.
    package mutating func frame(_ line: Int, _ pixels: Span<UInt8>) -> Int {
        precondition(pixels.count == PanelGeometry.bytesPerLine, "a line has another length")
        let turn = next
        next = PanelTransfer.words &- turn
        // Words, for the call of the C library that copies bytes costs more than the line.
        let bytes = pixels.bytes
        let first = UInt32(bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt16.self))
        buffers[turn] = PanelTransfer.lineMark | UInt32(truncatingIfNeeded: line) &<< 8 | first &<< 16
        for word in 1..<PanelTransfer.words {
            buffers[turn &+ word] = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 &* word &- 2, as: UInt32.self)
        }
        return turn
    }

    /// A word of the buffers, counted from the first of both.
    package subscript(word: Int) -> UInt32 { buffers[word] }

    /// Where a buffer is in memory that begins at this word.
    package func address(of word: Int) -> UnsafePointer<UInt32> { UnsafePointer(buffers.address(of: word)) }
}
