/// The bytes that each part of an image takes of flash and of RAM.
struct PartSizes: Equatable {
    struct Row: Equatable {
        var part: String
        var flash = 0
        var ram = 0
    }

    /// Constants that the compiler gave no name: literals, fonts, tables.
    static let constants = "constants without a name"
    /// Filling between functions, and what they load.
    static let filling = "vectors and filling"
    /// What the linker script reserves.
    static let memory = "memory of the watch and its drivers"
    static let stacks = "stacks with their guards"

    /// Parts, those that take most of the flash first.
    let rows: [Row]

    var flash: Int { rows.reduce(0) { $0 + $1.flash } }
    var ram: Int { rows.reduce(0) { $0 + $1.ram } }

    /// The parts of an image.
    ///
    /// - Parameters:
    ///   - image: the image.
    ///   - part: the part of a symbol.
    init(_ image: ELFImage, part: (ELFImage.Symbol) -> String) {
        var rows: [String: Row] = [:]
        func add(_ part: String, flash: Int, ram: Int) {
            rows[part, default: Row(part: part)].flash += flash
            rows[part, default: Row(part: part)].ram += ram
        }
        for section in image.sections {
            let (inFlash, inRAM, rest): (Int, Int, String)
            switch section.name {
            case ".text": (inFlash, inRAM, rest) = (1, 0, PartSizes.filling)
            case ".rodata": (inFlash, inRAM, rest) = (1, 0, PartSizes.constants)
            case ".data": (inFlash, inRAM, rest) = (1, 1, PartSizes.constants)
            case ".bss": (inFlash, inRAM, rest) = (0, 1, PartSizes.filling)
            case ".memory": (inFlash, inRAM, rest) = (0, 1, PartSizes.memory)
            case ".stacks": (inFlash, inRAM, rest) = (0, 1, PartSizes.stacks)
            default: continue
            }
            var named = 0
            for (symbol, size) in PartSizes.named(section, image.symbols) {
                named += size
                add(part(symbol), flash: inFlash * size, ram: inRAM * size)
            }
            add(rest, flash: inFlash * (section.size - named), ram: inRAM * (section.size - named))
        }
        self.rows = rows.values.filter { $0.flash + $0.ram > 0 }.sorted {
            ($0.flash, $0.ram, $1.part) > ($1.flash, $1.ram, $0.part)
        }
    }

    /// The symbols of a section and their bytes; a byte of two symbols counts as the first one's.
    private static func named(
        _ section: ELFImage.Section, _ symbols: [ELFImage.Symbol]
    ) -> [(ELFImage.Symbol, Int)] {
        let end = section.address + UInt32(section.size)
        let own = symbols.filter { $0.size > 0 && (section.address..<end).contains($0.address) }
            .sorted { ($0.address, $0.size, $0.name) < ($1.address, $1.size, $1.name) }
        var reached = section.address
        return own.compactMap { symbol in
            let last = min(symbol.address + UInt32(symbol.size), end)
            guard last > reached else { return nil }
            defer { reached = last }
            return (symbol, Int(last - max(reached, symbol.address)))
        }
    }
}
