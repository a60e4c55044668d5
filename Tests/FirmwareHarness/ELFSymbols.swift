/// The sections and symbols of a 32-bit, little-endian ELF file (elf(5)).
struct ELFSymbols {
    struct Section: Equatable {
        var name: String
        /// The address on the board. `offset` is the position in the file.
        var address: UInt32
        var offset: Int
        var size: Int
    }

    struct Symbol: Equatable {
        var name: String
        /// For a function, without the bit that marks Thumb code.
        var address: UInt32
        /// In bytes; 0 if the linker does not know the size.
        var size: Int
        var kind: Kind

        enum Kind: Equatable {
            case function
            case other
        }
    }

    private(set) var sections: [Section] = []
    private(set) var symbols: [Symbol] = []

    private let bytes: [UInt8]

    /// Reads the sections and symbols from the bytes of a file.
    ///
    /// - Throws: `HarnessFailure` if the bytes are not such an ELF file, or are incomplete.
    init(_ bytes: [UInt8]) throws(HarnessFailure) {
        self.bytes = bytes
        guard bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 1, 1]) else {
            throw HarnessFailure("it is no ELF file of 32 bits")
        }
        let (table, entry, count) = (try number(4, 32), try number(2, 46), try number(2, 48))
        guard table + count * entry <= bytes.count else { throw HarnessFailure("the ELF file is cut") }
        var heads: [(name: Int, type: Int, link: Int, section: Section)] = []
        for index in 0..<count {
            let at = table + index * entry
            let section = Section(
                name: "", address: UInt32(try number(4, at + 12)), offset: try number(4, at + 16),
                size: try number(4, at + 20))
            heads.append((try number(4, at), try number(4, at + 4), try number(4, at + 24), section))
        }
        let names = try number(2, 50)
        guard names < heads.count else { throw HarnessFailure("the sections have no names") }
        for head in heads {
            var section = head.section
            section.name = try text(heads[names].section.offset + head.name)
            sections.append(section)
        }
        // SHT_SYMTAB, whose entries of 16 bytes are name, value, size, info, other, section.
        for head in heads where head.type == 2 && head.link < heads.count {
            try readSymbols(head.section, names: heads[head.link].section.offset)
        }
    }

    private mutating func readSymbols(_ table: Section, names: Int) throws(HarnessFailure) {
        for at in stride(from: table.offset, to: table.offset + table.size, by: 16) {
            let kind: Symbol.Kind = try number(1, at + 12) & 15 == 2 ? .function : .other
            let value = UInt32(try number(4, at + 4))
            symbols.append(
                Symbol(
                    name: try text(names + number(4, at)), address: kind == .function ? value & ~1 : value,
                    size: try number(4, at + 8), kind: kind))
        }
    }

    private func number(_ count: Int, _ at: Int) throws(HarnessFailure) -> Int {
        guard at >= 0, at + count <= bytes.count else { throw HarnessFailure("the ELF file is cut") }
        return bytes[at..<at + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private func text(_ at: Int) throws(HarnessFailure) -> String {
        guard at >= 0, at < bytes.count else { throw HarnessFailure("the ELF file is cut") }
        return String(decoding: bytes[at...].prefix { $0 != 0 }, as: UTF8.self)
    }
}
