import ArgumentParser
import Foundation

struct PartSizes: Equatable {
    struct Row: Equatable {
        var part: String
        var flash = 0
        var ram = 0
    }

    /// The bytes of `.rodata` and `.data` without a symbol: literals, fonts and tables.
    static let constants = "constants without a name"
    /// The bytes of `.text` and `.bss` without a symbol: the vectors, padding between functions, and constants that
    /// functions load.
    static let filling = "vectors and filling"
    static let memory = "memory of the watch and its drivers"
    static let stacks = "stacks with their guards"

    let rows: [Row]

    var flash: Int { rows.reduce(0) { $0 + $1.flash } }
    var ram: Int { rows.reduce(0) { $0 + $1.ram } }

    init(_ image: ELFSymbols, part: (ELFSymbols.Symbol) -> String) {
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

    /// Returns the symbols of a section, each with its size in bytes. A byte that two symbols share counts for the
    /// first one.
    private static func named(
        _ section: ELFSymbols.Section, _ symbols: [ELFSymbols.Symbol]
    ) -> [(ELFSymbols.Symbol, Int)] {
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

struct PartsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parts", abstract: "Prints the bytes of flash and RAM that each part of an image takes.")

    @Flag(help: "Prints them as JSON.")
    var json = false

    @Argument(help: "The image.")
    var image: String

    @Argument(help: "The checkout, whose folders are the parts.")
    var sources: String

    func run() throws {
        let image = try ELFSymbols([UInt8](Data(contentsOf: URL(filePath: image))))
        let names = PartNames(table: try DeclarationTable(sources: sources))
        let demangled = try PartsCommand.demangle(image.symbols.filter { $0.size > 0 }.map(\.name))
        let sizes = PartSizes(image) { names.part(of: $0.name, demangled: demangled[$0.name] ?? $0.name) }
        print(json ? PartsCommand.json(sizes) : PartsCommand.table(sizes))
    }

    private static func table(_ sizes: PartSizes) -> String {
        sizes.rows.map { row in
            row.part.padding(toLength: max(36, row.part.count), withPad: " ", startingAt: 0)
                + padded(row.flash) + padded(row.ram)
        }.joined(separator: "\n")
    }

    private static func padded(_ count: Int) -> String {
        let text = count == 0 ? "" : "\(count)"
        return String(repeating: " ", count: max(1, 9 - text.count)) + text
    }

    private static func json(_ sizes: PartSizes) -> String {
        "["
            + sizes.rows.map { "{\"part\": \"\($0.part)\", \"flash\": \($0.flash), \"ram\": \($0.ram)}" }
            .joined(separator: ", ") + "]"
    }

    private static func demangle(_ names: [String]) throws -> [String: String] {
        let mangled = Array(Set(names.filter { $0.hasPrefix("$") })).sorted()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["swift", "demangle", "--compact"] + mangled
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        let lines = text.split(separator: "\n").map(String.init)
        try require(lines.count == mangled.count, "swift demangle says \(lines.count) of \(mangled.count) names")
        return Dictionary(uniqueKeysWithValues: zip(mangled, lines))
    }
}

/// Finds the part of the firmware that a symbol belongs to.
struct PartNames {
    let table: DeclarationTable

    static let swift = "Swift library and runtime"
    static let library = "C library and libgcc"
    /// Symbols whose names contain no declaration of a known module.
    static let other = "other"

    func part(of symbol: String, demangled: String) -> String {
        if symbol.hasPrefix("swift_") || symbol.hasPrefix("_swift_") { return PartNames.swift }
        guard symbol.hasPrefix("$") else { return PartNames.library }
        // The name of a specialisation, an outlined copy or a closure ends with the declaration that it comes from.
        var name = demangled[...]
        if let prefix = name.ranges(of: " of ").last { name = name[prefix.upperBound...] }
        if name.hasPrefix("closure"), let prefix = name.ranges(of: " in ").last(where: { _ in true }) {
            name = name[prefix.upperBound...]
        }
        let pattern = #/\b(\w+)\.\(?(\w+)(?: in \w+\))?(?:\.\(?(\w+))?/#
        guard let match = name.firstMatch(of: pattern) else { return PartNames.other }
        let module = String(match.1)
        if module == "Swift" { return PartNames.swift }
        guard table.modules.contains(module) else { return PartNames.other }
        return table.folder(module: module, type: String(match.2), member: match.3.map(String.init)) ?? module
    }
}
