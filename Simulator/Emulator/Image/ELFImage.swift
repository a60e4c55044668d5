/// A linked program in the format ELF (elf(5)), of 32 bits and for Arm.
package struct ELFImage: Equatable, Sendable {
    /// Bytes that are in memory before the first instruction.
    package struct Segment: Equatable, Sendable {
        /// The physical address, from which start-up code copies to RAM.
        package var address: UInt32
        package var bytes: [UInt8]
    }

    package let segments: [Segment]
    package let entry: UInt32
    package let functions: FunctionTable

    /// - Parameter bytes: the whole file.
    package init(_ bytes: [UInt8]) throws(EmulatorError) {
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else { throw .notELF }
        let file = ELFBytes(bytes)
        let machine = try file.half(18)
        // EM_ARM, ELFCLASS32, ELFDATA2LSB.
        guard machine == 40 else { throw .otherProcessor(machine) }
        guard bytes[4] == 1, bytes[5] == 1 else { throw .otherForm }
        // ET_EXEC.
        guard try file.half(16) == 2 else { throw .notLinked }
        entry = try file.word(24)
        segments = try ELFImage.segments(of: file)
        guard !segments.isEmpty else { throw .empty }
        functions = try FunctionTable(file.functions())
    }

    /// The most bytes of all segments together, flash and RAM in full: a damaged file could repeat a segment many times.
    private static let mostBytes = 1 << 25

    private static func segments(of file: ELFBytes) throws(EmulatorError) -> [Segment] {
        let (table, size, count) = (Int(try file.word(28)), Int(try file.half(42)), Int(try file.half(44)))
        var segments: [Segment] = []
        var room = mostBytes
        for index in 0..<count {
            let header = table + index * size
            let length = Int(try file.word(header + 16))
            // PT_LOAD.
            guard try file.word(header) == 1, length > 0 else { continue }
            let bytes = try file.bytes(from: Int(try file.word(header + 4)), count: length)
            room -= length
            guard room >= 0 else { throw .tooLarge }
            segments.append(Segment(address: try file.word(header + 12), bytes: bytes))
        }
        return segments
    }
}

/// Bounds-checked access to the bytes of an ELF file.
struct ELFBytes {
    private let all: [UInt8]

    init(_ bytes: [UInt8]) {
        all = bytes
    }

    func bytes(from offset: Int, count: Int) throws(EmulatorError) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= all.count, count <= all.count - offset else { throw .truncated }
        return Array(all[offset..<offset + count])
    }

    func half(_ offset: Int) throws(EmulatorError) -> UInt16 {
        guard offset >= 0, offset <= all.count - 2 else { throw .truncated }
        return UInt16(all[offset]) | UInt16(all[offset + 1]) << 8
    }

    func word(_ offset: Int) throws(EmulatorError) -> UInt32 {
        UInt32(try half(offset)) | UInt32(try half(offset + 2)) << 16
    }

    private func text(_ offset: Int) throws(EmulatorError) -> String {
        guard offset >= 0, offset < all.count, let end = all[offset...].firstIndex(of: 0) else { throw .truncated }
        return String(decoding: all[offset..<end], as: UTF8.self)
    }

    /// The functions of the symbol table; empty for a stripped program.
    func functions() throws(EmulatorError) -> [FunctionTable.Function] {
        let (table, size, count) = (Int(try word(32)), Int(try half(46)), Int(try half(48)))
        var functions: [FunctionTable.Function] = []
        for index in 0..<count {
            let header = table + index * size
            // SHT_SYMTAB.
            guard try word(header + 4) == 2 else { continue }
            let names = Int(try word(table + Int(try word(header + 24)) * size + 16))
            let (first, length) = (Int(try word(header + 16)), Int(try word(header + 20)))
            for symbol in stride(from: first, to: first + length, by: 16) {
                // STT_FUNC, in a section of this file.
                guard try half(symbol + 12) & 0xF == 2, try half(symbol + 14) != 0 else { continue }
                functions.append(
                    FunctionTable.Function(
                        name: try text(names + Int(try word(symbol))), start: try word(symbol + 4) & ~1,
                        size: try word(symbol + 8)))
            }
        }
        return functions
    }
}

extension ELFImage {
    /// The most bytes of flash and of RAM that a program gets: 16 MB, the RAM of QEMU's mps2-an386.
    private static let mostMemory: UInt32 = 1 << 24
    /// RAM behind what a program loads there and behind its stack, for a heap: 256 KB.
    private static let spareRAM: UInt32 = 1 << 18

    /// A processor before the first instruction, with the program in memory.
    ///
    /// RAM begins at 0x2000_0000; anything that is loaded below that is flash. The first two words of flash are the stack
    /// pointer and the first instruction (B1.5.3). Otherwise the stack begins at the end of RAM, and the program at the entry of
    /// the file.
    ///
    /// - Parameter sizeOfRAM: in bytes; nil for as much as the program needs, and room for a heap.
    package func loaded(_ timing: CoreTiming, sizeOfRAM: UInt32? = nil) throws(EmulatorError) -> CortexM4 {
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

    /// The contents of a memory before the first instruction, 0xFF between its segments.
    ///
    /// - Parameter start: its first address; nil for that of the first segment.
    private func memory(
        _ parts: [Segment], from start: UInt32?
    ) throws(EmulatorError) -> (start: UInt32, bytes: [UInt8]) {
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

    /// The first two words of flash; nil if they are no address in RAM and no address of Thumb code.
    private func vectors(of flash: [UInt8]) -> (stack: UInt32, entry: UInt32)? {
        guard flash.count >= 8 else { return nil }
        let word = { flash[$0..<$0 + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        let ram = MemoryMap.ramStart...MemoryMap.ramStart + ELFImage.mostMemory
        return ram.contains(word(0)) && word(4) & 1 == 1 ? (word(0), word(4)) : nil
    }
}
