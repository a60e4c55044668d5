import Watch

/// Two buffers for lines of a memory LCD: the processor prepares a line in one while EasyDMA sends the other.
package struct PanelTransfer {
    /// Both buffers, five words each: two bytes that the caller chooses, and then 18 bytes of pixels. The first byte of a word
    /// is in the word's lowest bits.
    private let buffers: FixedArray<UInt32>
    private var next = 0

    package static var words: Int { 5 }
    package static var bytes: Int { 4 &* words }

    package init(arena: inout MemoryArena) {
        buffers = arena.take(2 * PanelTransfer.words, of: 0)
    }

    /// Copies a line into the next of the two buffers. Returns the index of the buffer's first word. `head` has the two bytes
    /// before the pixels, the first in its lowest bits.
    package mutating func frame(head: UInt32, _ pixels: Span<UInt8>) -> Int {
        precondition(pixels.count == PanelGeometry.bytesPerLine, "a line has another length")
        let turn = next
        next = PanelTransfer.words &- turn
        // Copies words: the C library's byte copy would take longer than sending the line.
        let bytes = pixels.bytes
        let first = UInt32(bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 0, as: UInt16.self))
        buffers[turn] = head | first &<< 16
        for word in 1..<PanelTransfer.words {
            buffers[turn &+ word] = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: 4 &* word &- 2, as: UInt32.self)
        }
        return turn
    }

    package subscript(word: Int) -> UInt32 { buffers[word] }

    package func address(of word: Int) -> UnsafePointer<UInt32> { UnsafePointer(buffers.address(of: word)) }
}
