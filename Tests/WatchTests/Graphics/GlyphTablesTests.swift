import Foundation
import SpawnedPrograms
import Testing

@testable import Watch

@Suite struct GlyphTablesTests {
    /// The lines of a glyph in two strips of seven pixels, the left one in the upper bits.
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

    /// FNV-1a, 32 bits.
    private func hash(_ bytes: [UInt8]) -> UInt32 {
        bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    }

    /// The hashes are those of the fonts themselves, a byte for the advance and two for each line of every glyph.
    @Test(arguments: [(Font.row, 0xC5FF_8F6D), (.title, 0x0326_7057), (.small, 0x8C43_00BA)] as [(Font, UInt32)])
    func everyGlyphIsThatOfTheFont(font: Font, expected: UInt32) {
        let tables = GlyphTables(font)
        let bytes = (0..<font.coverage.glyphCount).flatMap { index in
            [UInt8(tables.advance(of: index))]
                + lines(of: index, tables).flatMap { [UInt8($0 >> 7), UInt8($0 & 0x7F)] }
        }
        #expect(hash(bytes) == expected)
    }

    @Test func everyDigitOfTheTimeIsAsItWasDrawn() {
        let bytes = (0..<40).flatMap { part in
            let lines = decoded(GlyphTables.timeDigits.record(of: part), .timeDigits)
            return lines + [UInt8](repeating: 0, count: TimeDigits.height - lines.count)
        }
        #expect(hash(bytes) == 0xD5A1_69B6)
    }

    @Test(arguments: [Font.row, .title, .small]) func noPartHasMoreLinesThanThereIsRoomFor(font: Font) {
        let tables = GlyphTables(font)
        for index in 0..<font.coverage.glyphCount {
            let parts = tables.parts(of: index)
            for part in [parts.body, parts.mark].compactMap(\.self) {
                #expect((1...2 * font.height).contains(decoded(part, tables).count), "glyph \(index)")
            }
        }
        #expect(2 * font.height <= GlyphTables.mostLines && TimeDigits.height <= GlyphTables.mostLines)
    }

    @Test func allTablesTogetherStayUnderTheirBudget() {
        let tables = [RowFontTable.bytes, TitleFontTable.bytes, SmallFontTable.bytes, TimeDigitsTable.bytes]
        #expect(tables.reduce(0) { $0 + $1.utf8CodeUnitCount } <= 5_850)
    }

    @Test(arguments: [Font.row, .title, .small]) func everyGlyphButTheBlanksHasInkAndFitsItsAdvance(font: Font) {
        let tables = GlyphTables(font)
        for index in 0..<font.coverage.glyphCount {
            let ink = lines(of: index, tables).reduce(0, |)
            // U+0020 and U+00A0 have none.
            let isBlank = index == 0 || (index == 95 && font != .small)
            #expect((ink == 0) == isBlank, "glyph \(index)")
            if !isBlank {
                #expect(ink & 0x2000 != 0, "glyph \(index) begins at its left edge")
                #expect(14 - ink.trailingZeroBitCount == tables.advance(of: index) - 1, "glyph \(index)")
            }
        }
    }

    @Test(arguments: [Font.row, .title, .small]) func replacementIsABoxThatNoCharacterLooksLike(font: Font) {
        let tables = GlyphTables(font)
        let box = font.coverage.replacementIndex
        #expect(!(0..<box).contains { lines(of: $0, tables) == lines(of: box, tables) })
    }

    /// The script with which the tables are written, and whether this machine has what it needs.
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../Hardware/Watch/Graphics/generate-font").standardized
    private static var hasSourceFonts: Bool {
        ["/usr/share/fonts/X11/misc/9x15.pcf.gz", "/usr/bin/python3"].allSatisfy {
            FileManager.default.fileExists(atPath: $0)
        }
    }

    @Test(.enabled(if: hasSourceFonts, "needs python3 and Debian's xfonts-base"))
    func tablesAreWhatTheGeneratorWrites() throws {
        let check = try SpawnedProgram(["/usr/bin/python3", GlyphTablesTests.script.path, "--check"])
        #expect(check.awaitEnd() == .exited(0))
    }
}
