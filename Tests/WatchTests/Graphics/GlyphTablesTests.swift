import Foundation
import Testing

@testable import Watch

@Suite struct GlyphTablesTests {
    @Test(arguments: [
        (Font.row, RowFontTable.widths, RowFontTable.rows, RowFontTable.wide),
        (Font.title, TitleFontTable.widths, TitleFontTable.rows, TitleFontTable.wide),
        (Font.small, SmallFontTable.widths, SmallFontTable.rows, SmallFontTable.wide),
    ])
    func tablesHoldEveryGlyphOfTheFont(font: Font, widths: StaticString, rows: StaticString, wide: StaticString) {
        let count = font.coverage.glyphCount
        #expect(widths.utf8CodeUnitCount == count)
        #expect(rows.utf8CodeUnitCount == count * font.height)
        #expect(wide.utf8CodeUnitCount % (font.height + 2) == 0)
    }

    @Test func digitsOfTheTimeAreAllThere() {
        #expect(TimeDigitsTable.digits.utf8CodeUnitCount == 10 * 4 * TimeDigits.height)
    }

    @Test func allTablesTogetherStayUnderTheirBudget() {
        let tables = [
            RowFontTable.widths, RowFontTable.rows, RowFontTable.wide, TitleFontTable.widths, TitleFontTable.rows,
            TitleFontTable.wide, SmallFontTable.widths, SmallFontTable.rows, SmallFontTable.wide,
            TimeDigitsTable.digits,
        ]
        #expect(tables.reduce(0) { $0 + $1.utf8CodeUnitCount } <= 20 * 1_024)
    }

    @Test(arguments: [Font.row, .title, .small])
    func everyGlyphButTheBlanksHasInkAndFitsItsAdvance(font: Font) {
        let tables = GlyphTables(font)
        for index in 0..<font.coverage.glyphCount {
            let first = tables.firstStrip(of: index)
            let bits = (0..<font.height).map { line in
                UInt16(first[line]) << 7 | UInt16(tables.secondStrip(of: index)?[line] ?? 0)
            }
            let ink = bits.reduce(0, |)
            // U+0020 and U+00A0 have none.
            let isBlank = index == 0 || (index == 95 && font != .small)
            #expect((ink == 0) == isBlank, "glyph \(index)")
            if !isBlank {
                #expect(ink & 0x2000 != 0, "glyph \(index) begins at its left edge")
                #expect(14 - ink.trailingZeroBitCount == tables.advance(of: index) - 1, "glyph \(index)")
            }
        }
    }

    @Test(arguments: [Font.row, .title, .small])
    func replacementIsABoxThatNoCharacterLooksLike(font: Font) {
        let tables = GlyphTables(font)
        func shape(_ index: Int) -> [UInt8] { (0..<font.height).map { tables.firstStrip(of: index)[$0] } }
        let box = font.coverage.replacementIndex
        #expect(!(0..<box).contains { shape($0) == shape(box) })
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
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [GlyphTablesTests.script.path, "--check"]
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }
}
