import Testing

@testable import FirmwareHarness

struct PartSizesTests {
    private static let sources = DeclarationTable([
        (module: "Watch", folder: "Watch/Flash", text: "public struct Journal {\n    mutating func mount() {}\n}\n"),
        (
            module: "Watch", folder: "Watch/Screen",
            text: "extension Journal {\n    func draw() {}\n}\nfunc paint() {\n}\n"
        ),
        (module: "Watch", folder: "Watch/Screen", text: "private let corner = 3\n"),
    ])

    private func part(_ symbol: String, _ demangled: String) -> String {
        PartNames(table: Self.sources).part(of: symbol, demangled: demangled)
    }

    @Test func `a member is of the folder that declares it, another member of its type's`() {
        #expect(part("$e", "Watch.Journal.mount() -> ()") == "Watch/Flash")
        #expect(part("$e", "Watch.Journal.draw() -> ()") == "Watch/Screen")
        #expect(part("$e", "Watch.Journal.init(Swift.Int) -> Watch.Journal") == "Watch/Flash")
    }

    @Test func `what is made of a declaration belongs to it`() {
        #expect(part("$e", "generic specialization <Firmware.Board> of Watch.Journal.draw() -> ()") == "Watch/Screen")
        #expect(part("$e", "Watch.(corner in _BBF8)") == "Watch/Screen")
        #expect(part("$e", "Watch.(paint in _BBF8)(Swift.Int) -> ()") == "Watch/Screen")
    }

    @Test func `what no source declares is the library's, the module's or another's`() {
        #expect(part("swift_once", "swift_once") == PartNames.swift)
        #expect(part("$e", "generic specialization <Swift.UInt8> of Swift.Span.extracting()") == PartNames.swift)
        #expect(part("memcpy", "memcpy") == PartNames.library)
        #expect(part("$e", "Watch.Unheard.of() -> ()") == "Watch")
        #expect(part("$e", "Elsewhere.Journal.draw() -> ()") == PartNames.other)
    }

    @Test func `every byte of a section counts once, whatever its symbols say`() throws {
        var image = SmallImage()
        image.add("a", at: 0x100, size: 8)
        // An alias, one that overlaps, one of no size and one of another section.
        image.add("b", at: 0x100, size: 8)
        image.add("c", at: 0x104, size: 8)
        image.add("d", at: 0x110, size: 0)
        image.add("e", at: 0x900, size: 8)
        let sizes = PartSizes(try ELFSymbols(image.bytes)) { $0.name }
        #expect(sizes.flash == 0x40)
        #expect(sizes.ram == 0)
        #expect(sizes.rows.first { $0.part == "a" }?.flash == 8)
        #expect(sizes.rows.first { $0.part == "c" }?.flash == 4)
        #expect(sizes.rows.first { $0.part == PartSizes.filling }?.flash == 0x40 - 12)
    }

    @Test func `what is no image, or a part of one, is refused`() {
        let whole = SmallImage().bytes
        #expect(throws: HarnessFailure.self) { try ELFSymbols([]) }
        #expect(throws: HarnessFailure.self) { try ELFSymbols(Array("text".utf8)) }
        for count in 6..<whole.count - 1 where count % 7 == 0 {
            #expect(throws: HarnessFailure.self) { try ELFSymbols(Array(whole.prefix(count))) }
        }
    }
}

/// An ELF file with one section of 64 bytes of code at 0x100.
private struct SmallImage {
    private var names: [UInt8] = [0]
    private var symbols: [[Int]] = []

    mutating func add(_ name: String, at address: Int, size: Int) {
        symbols.append([names.count, address, size, 2])
        names += Array(name.utf8) + [0]
    }

    var bytes: [UInt8] {
        let sectionNames: [UInt8] = Array("\0.text\0.symtab\0.strtab\0".utf8)
        let table = symbols.flatMap { number(4, $0[0]) + number(4, $0[1]) + number(4, $0[2]) + number(4, $0[3]) }
        let (sections, codeAt) = (5, 52)
        let (namesAt, tableAt) = (codeAt + 64, codeAt + 64 + sectionNames.count)
        let stringsAt = tableAt + table.count
        let headsAt = stringsAt + names.count
        var head = [0x7F, 0x45, 0x4C, 0x46, 1, 1] + [UInt8](repeating: 0, count: 46)
        head.replaceSubrange(32..<36, with: number(4, headsAt))
        head.replaceSubrange(46..<52, with: number(2, 40) + number(2, sections) + number(2, 3))
        let heads =
            section(0, 0, 0, 0, 0) + section(1, 1, 0x100, codeAt, 64) + section(7, 2, 0, tableAt, table.count, link: 4)
            + section(15, 3, 0, namesAt, sectionNames.count) + section(15, 3, 0, stringsAt, names.count)
        return head + [UInt8](repeating: 0, count: 64) + sectionNames + table + names + heads
    }

    private func section(_ name: Int, _ type: Int, _ address: Int, _ offset: Int, _ size: Int, link: Int = 0) -> [UInt8]
    {
        [name, type, 0, address, offset, size, link, 0, 4, 16].flatMap { number(4, $0) }
    }

    private func number(_ count: Int, _ value: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
