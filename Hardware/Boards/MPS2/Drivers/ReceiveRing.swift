import CCortexM

/// Bytes on their way from a port's interrupt handler to the main program: one writes, the other reads.
///
/// It is an address, not a variable: the memory is the linker script's, three words and then the bytes, all zero at the
/// start. Each word has one writer, so no interrupt has to be masked. The counts only ever grow, and wrap.
struct ReceiveRing {
    private let base: UInt
    private let capacity: UInt32

    /// Where the radio's bytes wait. The sizes are those of memory.ld.
    static var radio: ReceiveRing { ReceiveRing(base: UInt(address_of_radio_ring()), capacity: 1_024) }
    /// Where the bench's bytes wait.
    static var bench: ReceiveRing { ReceiveRing(base: UInt(address_of_bench_ring()), capacity: 256) }

    private var written: Register { Register(base) }
    private var read: Register { Register(base + 4) }
    private var lostBytes: Register { Register(base + 8) }

    private func byte(_ count: UInt32) -> SharedByte {
        SharedByte(base + 12 + UInt(count & (capacity - 1)))
    }

    /// Bytes that came, lost ones included.
    var received: UInt32 { written.value &+ lostBytes.value }

    /// Bytes that had no room.
    var lost: UInt32 { lostBytes.value }

    /// Whether nothing waits.
    var isEmpty: Bool { written.value == read.value }

    /// Puts in a byte; one that has no room is lost, and the frame it belonged to fails its check. For the interrupt handler.
    func put(_ new: UInt8) {
        let count = written.value
        if count &- read.value == capacity {
            lostBytes.value = lostBytes.value &+ 1
        } else {
            byte(count).value = new
            written.value = count &+ 1
        }
    }

    /// Takes the oldest byte, or nil. For the main program.
    func next() -> UInt8? {
        let count = read.value
        guard count != written.value else { return nil }
        let oldest = byte(count).value
        read.value = count &+ 1
        return oldest
    }
}
