import Foundation
import TestSupport
import Testing

@testable import Watch

struct GlyphTablesTests {
    /// Returns the pixel lines of a glyph, with 14 bits for each line. The upper seven bits are the left half of the
    /// glyph.
    private func lines(of index: Int, _ tables: GlyphTables) -> [UInt16] {
        let parts = tables.parts(of: index)
        var result = [UInt16](repeating: 0, count: tables.height)
        for part in [parts.body, parts.mark].compactMap(\.self) {
            for (line, pixels) in decoded(part, tables).enumerated() {
                result[line % tables.height] |= line < tables.height ? UInt16(pixels) << 7 : UInt16(pixels)
            }
        }
        return result
    }

    private func decoded(_ part: Int, _ tables: GlyphTables) -> [UInt8] {
        var lines = [UInt8](repeating: 0, count: 128)
        let count = lines.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { tables.decode(part, into: $0) } ?? 0
        }
        return [UInt8](lines[..<count])
    }

    /// Returns the 32-bit FNV-1a hash.
    private func hash(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    /// The expected hashes were made from the source fonts. For each glyph, they cover one byte for the advance and two
    /// bytes for each line.
    @Test(arguments: [(Font.row, 0xC5FF_8F6D), (.title, 0x0326_7057), (.small, 0x8C43_00BA)] as [(Font, UInt32)])
    func `every glyph is that of the font`(font: Font, expected: UInt32) {
        let tables = GlyphTables(font)
        let bytes = (0..<font.coverage.glyphCount).flatMap { index in
            [UInt8(tables.advance(of: index))]
                + lines(of: index, tables).flatMap { [UInt8($0 >> 7), UInt8($0 & 0x7F)] }
        }
        #expect(hash(bytes) == expected)
    }

    @Test func `every digit of the time is as it was drawn`() {
        let bytes = (0..<40).flatMap { part in
            let lines = decoded(GlyphTables.timeDigits.record(of: part), .timeDigits)
            return lines + [UInt8](repeating: 0, count: TimeDigits.height - lines.count)
        }
        #expect(hash(bytes) == 0xD5A1_69B6)
    }

    @Test(arguments: [Font.row, .title, .small]) func `no part has more lines than there is room for`(font: Font) {
        let tables = GlyphTables(font)
        for index in 0..<font.coverage.glyphCount {
            let parts = tables.parts(of: index)
            for part in [parts.body, parts.mark].compactMap(\.self) {
                #expect((1...2 * font.height).contains(decoded(part, tables).count), "glyph \(index)")
            }
        }
        #expect(2 * font.height <= GlyphTables.mostLines && TimeDigits.height <= GlyphTables.mostLines)
    }

    @Test func `all tables together stay under their budget`() {
        let tables = [RowFontTable.bytes, TitleFontTable.bytes, SmallFontTable.bytes, TimeDigitsTable.bytes]
        #expect(tables.reduce(0) { $0 + $1.utf8CodeUnitCount } <= 5_850)
    }

    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Hardware/Watch/Graphics/generate-font").standardized
    private static var hasSourceFonts: Bool {
        ["/usr/share/fonts/X11/misc/9x15.pcf.gz", "/usr/bin/python3"].allSatisfy {
            FileManager.default.fileExists(atPath: $0)
        }
    }

    @Test(.enabled(if: hasSourceFonts, "needs python3 and Debian's xfonts-base"))
    func `the tables are what the generator writes`() throws {
        let check = try SpawnedProgram(["/usr/bin/python3", GlyphTablesTests.script.path, "--check"])
        #expect(check.awaitEnd() == .exited(0))
    }
}

struct GlyphCoverageTests {
    private func index(_ scalar: UInt32, _ coverage: GlyphCoverage = .latin) -> Int? {
        coverage.index(of: scalar)
    }

    @Test func `every latin character has a glyph of its own`() {
        let scalars = Array(UInt32(0x20)...0x7E) + Array(UInt32(0xA0)...0x17F).filter { $0 != 0xAD }
        let indices = scalars.compactMap { index($0) }
        #expect(indices.count == scalars.count)
        #expect(Set(indices).count == scalars.count)
        #expect(!indices.contains(GlyphCoverage.latin.replacementIndex))
    }

    @Test func `typographic characters have glyphs, and any other character is the box`() {
        for scalar in [0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x20AC] as [UInt32] {
            #expect((319..<328).contains(index(scalar) ?? 0))
        }
        for scalar in [
            0x00, 0x07, 0x1B, 0x7F, 0x85, 0x180, 0x416, 0x5D0, 0x627, 0x4E2D, 0xFFFD, 0x1F600, 0x10FFFF,
        ] as [UInt32] {
            #expect(index(scalar) == GlyphCoverage.latin.replacementIndex)
            #expect(index(scalar, .ascii) == GlyphCoverage.ascii.replacementIndex)
        }
    }

    @Test(arguments: [0xAD, 0x301, 0x200B, 0x200D, 0x202E, 0x2066, 0xFE0F, 0xFEFF, 0x1F3FD, 0xE0067] as [UInt32])
    func `a character that only changes its neighbour takes no room`(scalar: UInt32) {
        #expect(index(scalar) == nil)
    }

    @Test func `blanks of all kinds are blanks, and minus and hyphens are the hyphen`() {
        for scalar in [0x09, 0x0A, 0x0D, 0x2009, 0x3000] as [UInt32] { #expect(index(scalar) == 0) }
        #expect(index(0x2212) == index(0x2D) && index(0x2011) == index(0x2D))
    }
}
