/// Reads what a program prints through SEGGER RTT. The program fills the first up-buffer of a control block in RAM.
///
/// Source: SEGGER, UM08001, J-Link / J-Trace User Guide, chapter RTT. The block begins with the name "SEGGER RTT" in 16 bytes,
/// the number of up-buffers and the number of down-buffers. The buffers follow. Each has six words: name, start, size, write
/// offset, read offset, flags.
package struct TransferConsole: Sendable {
    private static let name = Array("SEGGER RTT".utf8) + [0, 0, 0, 0, 0, 0]
    /// The address of the control block. Nil until a search of RAM finds the block, and again after its contents have become
    /// invalid.
    private var block: UInt32?
    private static let searchInterval = Machine.cyclesPerSecond / 10
    private var nextSearch: UInt64 = 0

    /// Returns the bytes that the program has printed since the last call, and frees their room in the buffer.
    package mutating func take(from machine: inout Machine) -> [UInt8] {
        guard let block = block ?? find(machine) else { return [] }
        let buffer = block + 24
        guard let start = machine.word(at: buffer + 4), let size = machine.word(at: buffer + 8),
            let write = machine.word(at: buffer + 12), let read = machine.word(at: buffer + 16),
            size > 0, write < size, read < size, let bytes = machine.bytes(at: start, count: Int(size))
        else {
            // After a reset, RAM has other contents until the program sets the block up again.
            self.block = nil
            return []
        }
        if read == write { return [] }
        let (from, end) = (Int(read), Int(write))
        let text = from < end ? Array(bytes[from..<end]) : Array(bytes[from...] + bytes[..<end])
        let word = (0..<4).map { UInt8(truncatingIfNeeded: write >> (8 * $0)) }
        _ = machine.write(word, at: buffer + 16)
        return text
    }

    private mutating func find(_ machine: Machine) -> UInt32? {
        guard machine.now >= nextSearch else { return nil }
        nextSearch = machine.now + TransferConsole.searchInterval
        let ram = FirmwareImage.ram
        guard let bytes = machine.bytes(at: ram.lowerBound, count: ram.count) else { return nil }
        let place = stride(from: 0, to: bytes.count - 48, by: 4).first { place in
            bytes[place] == TransferConsole.name[0] && bytes[place..<place + 16].elementsEqual(TransferConsole.name)
        }
        block = place.map { ram.lowerBound + UInt32($0) }
        return block
    }
}
