import CortexM

extension ELFImage {
    /// The most bytes of flash and of RAM that a program gets: 16 MB, the RAM of QEMU's mps2-an386.
    private static let mostMemory: UInt32 = 1 << 24
    /// RAM behind what a program loads there and behind its stack, for a heap: 256 KB.
    private static let spareRAM: UInt32 = 1 << 18

    /// A processor before the first instruction, with the program in memory.
    ///
    /// RAM begins at 0x2000_0000; anything that is loaded below that is flash. The first two words of flash are the stack
    /// pointer and the first instruction (B1.5.3); where they are not, the stack begins at the end of RAM, and the entry of
    /// the file is the first instruction.
    ///
    /// - Parameters:
    ///   - timing: how many cycles the core takes.
    ///   - sizeOfRAM: the part's RAM in bytes; nil for as much as the program needs, and room for a heap.
    package func loaded(_ timing: CoreTiming, sizeOfRAM: UInt32? = nil) throws(MachineCodeError) -> CortexM4 {
        let flash = try memory(segments.filter { $0.address < MemoryMap.ramStart }, from: nil)
        let vectors = vectors(of: flash.bytes)
        let ramEnd = segments.map { $0.address &+ UInt32($0.bytes.count) }.max() ?? 0
        let end = max(ramEnd, vectors?.stack ?? 0, MemoryMap.ramStart)
        let size = sizeOfRAM ?? min(end - MemoryMap.ramStart + ELFImage.spareRAM, ELFImage.mostMemory)
        var ram = try memory(segments.filter { $0.address >= MemoryMap.ramStart }, from: MemoryMap.ramStart).bytes
        guard ram.count <= size else { throw .misplaced(MemoryMap.ramStart + size) }
        ram += [UInt8](repeating: 0, count: Int(size) - ram.count)
        let memory = MemoryMap(flash: flash.bytes, flashStart: flash.start, ram: ram)
        if let vectors, isCode(vectors.entry) {
            return CortexM4(memory: memory, entry: vectors.entry, stack: vectors.stack, timing: timing)
        }
        guard isCode(entry) else { throw .misplaced(entry) }
        return CortexM4(memory: memory, entry: entry, stack: MemoryMap.ramStart + size, timing: timing)
    }

    private func isCode(_ address: UInt32) -> Bool {
        segments.contains { $0.address <= address && address - $0.address < UInt32($0.bytes.count) }
    }

    /// What is in a memory before the first instruction. Flash that nothing was written to is 0xFF.
    ///
    /// - Parameter start: its first address; nil for that of its first segment.
    private func memory(
        _ parts: [Segment], from start: UInt32?
    ) throws(MachineCodeError) -> (start: UInt32, bytes: [UInt8]) {
        let start = start ?? parts.map(\.address).min() ?? 0
        var bytes: [UInt8] = []
        for part in parts.sorted(by: { $0.address < $1.address }) {
            let offset = part.address - start
            guard UInt64(offset) + UInt64(part.bytes.count) <= UInt64(ELFImage.mostMemory) else {
                throw .misplaced(part.address)
            }
            if Int(offset) > bytes.count {
                bytes += [UInt8](repeating: 0xFF, count: Int(offset) - bytes.count)
            }
            bytes.replaceSubrange(Int(offset)..<min(bytes.count, Int(offset) + part.bytes.count), with: part.bytes)
        }
        return (start, bytes)
    }

    /// The first two words of flash; nil where the first is no address in RAM, so that they are no stack pointer and entry.
    private func vectors(of flash: [UInt8]) -> (stack: UInt32, entry: UInt32)? {
        guard flash.count >= 8 else { return nil }
        let word = { flash[$0..<$0 + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        let ram = MemoryMap.ramStart...MemoryMap.ramStart + ELFImage.mostMemory
        return ram.contains(word(0)) && word(4) & 1 == 1 ? (word(0), word(4)) : nil
    }
}
