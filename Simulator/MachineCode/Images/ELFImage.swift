/// A linked program in the format ELF (elf(5)), of 32 bits and for Arm.
package struct ELFImage: Equatable, Sendable {
    /// Bytes that are in memory before the first instruction.
    package struct Segment: Equatable, Sendable {
        /// Where they are: the physical address, from which start-up code copies what belongs into RAM.
        package var address: UInt32
        package var bytes: [UInt8]
    }

    package let segments: [Segment]
    /// The address of its first instruction.
    package let entry: UInt32
    package let functions: FunctionTable

    /// - Parameter bytes: the whole file.
    package init(_ bytes: [UInt8]) throws(MachineCodeError) {
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

    /// The most bytes of all segments together, which a damaged file repeats as often as it likes: flash and RAM in full.
    private static let mostBytes = 1 << 25

    private static func segments(of file: ELFBytes) throws(MachineCodeError) -> [Segment] {
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

/// The bytes of an ELF file, read where they are there.
struct ELFBytes {
    private let all: [UInt8]

    init(_ bytes: [UInt8]) {
        all = bytes
    }

    func bytes(from offset: Int, count: Int) throws(MachineCodeError) -> [UInt8] {
        guard offset >= 0, count >= 0, offset <= all.count, count <= all.count - offset else { throw .truncated }
        return Array(all[offset..<offset + count])
    }

    func half(_ offset: Int) throws(MachineCodeError) -> UInt16 {
        guard offset >= 0, offset <= all.count - 2 else { throw .truncated }
        return UInt16(all[offset]) | UInt16(all[offset + 1]) << 8
    }

    func word(_ offset: Int) throws(MachineCodeError) -> UInt32 {
        UInt32(try half(offset)) | UInt32(try half(offset + 2)) << 16
    }

    /// A text up to its zero byte.
    private func text(_ offset: Int) throws(MachineCodeError) -> String {
        guard offset >= 0, offset < all.count, let end = all[offset...].firstIndex(of: 0) else { throw .truncated }
        return String(decoding: all[offset..<end], as: UTF8.self)
    }

    /// The functions that the symbol table names; none where the program was stripped.
    func functions() throws(MachineCodeError) -> [FunctionTable.Function] {
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
