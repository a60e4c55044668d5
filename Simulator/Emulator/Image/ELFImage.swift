/// A linked 32-bit Arm program in the ELF format (elf(5)).
package struct ELFImage: Equatable, Sendable {
    package struct Segment: Equatable, Sendable {
        /// The load address. Start-up code may copy the bytes from there to RAM.
        package var address: UInt32
        package var bytes: [UInt8]

        var end: UInt32 { UInt32(clamping: UInt64(address) + UInt64(bytes.count)) }
    }

    package let segments: [Segment]
    /// The addresses that start-up code fills with zeros or with copied bytes. They must be RAM.
    private let variables: [Range<UInt32>]
    package let entry: UInt32
    package let functions: FunctionTable

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
        (segments, variables) = try ELFImage.segments(of: file)
        guard !segments.isEmpty else { throw .empty }
        functions = try FunctionTable(file.functions())
    }

    /// The maximum number of bytes in all segments together, and in all RAM together: 32 MB. A damaged file could repeat a
    /// segment many times.
    private static let mostBytes = 1 << 25

    private static func segments(of file: ELFBytes) throws(EmulatorError) -> ([Segment], [Range<UInt32>]) {
        let (table, size, count) = (Int(try file.word(28)), Int(try file.half(42)), Int(try file.half(44)))
        var segments: [Segment] = []
        var variables: [Range<UInt32>] = []
        var room = mostBytes
        for index in 0..<count {
            let header = table + index * size
            let length = Int(try file.word(header + 16))
            // PT_LOAD.
            guard try file.word(header) == 1 else { continue }
            let (runsAt, loadedAt) = (try file.word(header + 8), try file.word(header + 12))
            if length == 0 || runsAt != loadedAt {
                variables.append(runsAt..<runsAt + min(try file.word(header + 20), .max - runsAt))
            }
            guard length > 0 else { continue }
            let bytes = try file.bytes(from: Int(try file.word(header + 4)), count: length)
            room -= length
            guard room >= 0 else { throw .tooLarge }
            segments.append(Segment(address: loadedAt, bytes: bytes))
        }
        return (segments, variables)
    }
}

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

    /// Reads the functions from the symbol table. Returns none for a stripped program.
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
    /// The maximum size of flash: 16 MB.
    private static let mostFlash: UInt32 = 1 << 24
    /// The size of the room for a heap at the end of each area of RAM: 256 KB.
    private static let spareRAM: UInt32 = 1 << 18
    /// The addresses that the architecture assigns to RAM (B3.1).
    private static let alwaysRAM: Range<UInt32> = 0x2000_0000..<0x4000_0000

    /// Creates a processor with the program in its memory, before the first instruction.
    ///
    /// Flash holds the segment with the file's entry point, and the segments outside of RAM that begin less than 16 MB away
    /// from that segment. RAM holds the variables, the remaining segments and the initial stack.
    ///
    /// The first two words of flash are the initial stack pointer and the address of the first instruction (B1.5.3). If they
    /// are not valid, the stack begins at the end of RAM, and the program begins at the file's entry point.
    ///
    /// - Parameter sizeOfRAM: bytes of RAM from 0x2000_0000. If it is nil, RAM has the size that the program needs, with room
    ///   for a heap.
    package func loaded(_ timing: CoreTiming, sizeOfRAM: UInt32? = nil) throws(EmulatorError) -> CortexM4 {
        let outside = segments.filter { !ELFImage.alwaysRAM.contains($0.address) }
        let home = outside.first { $0.address <= entry && entry < $0.end } ?? outside.min { $0.address < $1.address }
        let isFlash = { (part: Segment) in
            guard let home, !ELFImage.alwaysRAM.contains(part.address) else { return false }
            return max(part.address, home.address) - min(part.address, home.address) < ELFImage.mostFlash
        }
        let flash = try flash(segments.filter(isFlash))
        let loaded = segments.filter { !isFlash($0) }
        let vectors = vectors(of: flash.bytes)
        let areas = sizeOfRAM.map { [MemoryMap.ramStart..<MemoryMap.ramStart + $0] } ?? areas(loaded, vectors?.stack)
        guard areas.reduce(0, { $0 + $1.count }) <= ELFImage.mostBytes else { throw .tooLarge }
        var ram = areas.map {
            MemoryMap.RAM(start: $0.lowerBound, bytes: [UInt8](repeating: 0, count: $0.count))
        }
        for part in loaded {
            guard let area = areas.firstIndex(where: { $0.contains(part.address) }),
                case let offset = Int(part.address - areas[area].lowerBound),
                offset + part.bytes.count <= areas[area].count
            else { throw .misplaced(part.address) }
            ram[area].bytes.replaceSubrange(offset..<offset + part.bytes.count, with: part.bytes)
        }
        let inStack = vectors.map { $0.stack - 1 } ?? MemoryMap.ramStart
        let place = areas.firstIndex { $0.contains(inStack) } ?? 0
        let stack = vectors?.stack ?? areas[place].upperBound
        guard isCode(vectors?.entry ?? entry) else { throw .misplaced(entry) }
        let memory = MemoryMap(
            flash: flash.bytes, flashStart: flash.start, stack: ram.remove(at: place), others: ram)
        return CortexM4(memory: memory, entry: vectors?.entry ?? entry, stack: stack, timing: timing)
    }

    private func isCode(_ address: UInt32) -> Bool {
        segments.contains { $0.address <= address && address < $0.end }
    }

    /// Returns the areas of RAM that the program needs, each with room for a heap at its end. If that room reaches the next
    /// area, the two areas become one.
    private func areas(_ loaded: [Segment], _ stack: UInt32?) -> [Range<UInt32>] {
        var parts = variables + loaded.map { $0.address..<$0.end } + [MemoryMap.ramStart..<MemoryMap.ramStart]
        if let stack { parts.append((stack - 1) & ~0xFFFF..<stack) }
        var areas: [Range<UInt32>] = []
        for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            let end = part.upperBound + min(ELFImage.spareRAM, .max - part.upperBound)
            if let last = areas.last, part.lowerBound <= last.upperBound {
                areas[areas.count - 1] = last.lowerBound..<max(last.upperBound, end)
            } else {
                areas.append(part.lowerBound..<end)
            }
        }
        return areas
    }

    /// Returns flash as it is when the program starts: its first address and its bytes. Gaps between segments are 0xFF.
    private func flash(_ parts: [Segment]) throws(EmulatorError) -> (start: UInt32, bytes: [UInt8]) {
        let start = parts.map(\.address).min() ?? 0
        var bytes: [UInt8] = []
        for part in parts.sorted(by: { $0.address < $1.address }) {
            let offset = part.address - start
            guard UInt64(offset) + UInt64(part.bytes.count) <= UInt64(ELFImage.mostFlash) else {
                throw .misplaced(part.address)
            }
            if Int(offset) > bytes.count {
                bytes += [UInt8](repeating: 0xFF, count: Int(offset) - bytes.count)
            }
            bytes.replaceSubrange(Int(offset)..<min(bytes.count, Int(offset) + part.bytes.count), with: part.bytes)
        }
        return (start, bytes)
    }

    /// Returns the first two words of flash: the initial stack pointer and the address of the first instruction. Returns nil
    /// if the first word is not an address of memory, or the second is not an address of Thumb code.
    private func vectors(of flash: [UInt8]) -> (stack: UInt32, entry: UInt32)? {
        guard flash.count >= 8 else { return nil }
        let word = { flash[$0..<$0 + 4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } }
        let (stack, entry) = (word(0), word(4))
        // Devices are at 0x4000_0000 and from 0xA000_0000 (B3.1).
        let isMemory = (4..<0x4000_0000).contains(stack) || (0x6000_0000..<0xA000_0000).contains(stack)
        return isMemory && stack & 3 == 0 && entry & 1 == 1 && isCode(entry) ? (stack, entry) : nil
    }
}
