import BoardSupport
import CCortexM

/// Bytes on their way from a port's interrupt handler to the main program: one writes, the other reads.
///
/// It is an address, not a variable: the memory is the linker script's, two words and then the bytes, all zero at the
/// start. Each word has one writer, so no interrupt has to be masked. The counts only ever grow, and wrap.
///
/// While it is full the port's interrupt is off, and the byte that would have no room stays in the port; whoever sends it
/// sees that as a line that is not clear to send.
package struct ReceiveRing {
    private let base: UInt
    private let port: UART
    private let line: Interrupts.Line

    /// Where the radio's bytes wait.
    package static var radio: ReceiveRing {
        ReceiveRing(base: UInt(address_of_radio_ring()), port: .radio, line: .radioReceived)
    }
    /// Where the bench's bytes wait.
    package static var bench: ReceiveRing {
        ReceiveRing(base: UInt(address_of_bench_ring()), port: .bench, line: .benchReceived)
    }

    /// Bytes that have room, a power of two, as memory.ld has it.
    private static var capacity: UInt32 { 256 }

    private var written: Register { Register(base) }
    private var read: Register { Register(base + 4) }

    private func byte(_ count: UInt32) -> SharedByte {
        SharedByte(base + 8 + UInt(count & (ReceiveRing.capacity - 1)))
    }

    var received: UInt32 { written.value }

    var isEmpty: Bool { written.value == read.value }

    /// Whether one more byte has no room.
    var isFull: Bool { written.value &- read.value == ReceiveRing.capacity }

    /// Takes what has come from the port, as far as it has room. For the interrupt handler.
    package func fill() {
        while !isFull {
            guard let new = port.receive() else { return }
            let count = written.value
            byte(count).value = new
            written.value = count &+ 1
        }
        Interrupts.disable(line)
    }

    /// Takes the oldest byte, or nil. For the main program.
    func next() -> UInt8? {
        let count = read.value
        guard count != written.value else { return nil }
        let oldest = byte(count).value
        read.value = count &+ 1
        // Asked behind the step that makes room: the handler may have filled the ring just before it.
        if written.value &- count >= ReceiveRing.capacity { Interrupts.enable(line) }
        return oldest
    }
}
