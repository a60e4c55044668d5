import Testing

@testable import Watch

@Suite struct GlyphCoverageTests {
    private func index(_ scalar: UInt32, _ coverage: GlyphCoverage = .latin) -> Int? {
        switch coverage.choice(for: scalar) {
        case .glyph(let index): index
        case .nothing: nil
        }
    }

    @Test func everyLatinCharacterHasAGlyphOfItsOwn() {
        let scalars = Array(UInt32(0x20)...0x7E) + Array(UInt32(0xA0)...0x17F).filter { $0 != 0xAD }
        let indices = scalars.compactMap { index($0) }
        #expect(indices.count == scalars.count)
        #expect(Set(indices).count == scalars.count)
        #expect(!indices.contains(GlyphCoverage.latin.replacementIndex))
    }

    @Test(arguments: [0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x20AC] as [UInt32])
    func typographyHasGlyphsToo(scalar: UInt32) {
        #expect((319..<328).contains(index(scalar) ?? 0))
    }

    @Test(
        arguments: [0x00, 0x07, 0x1B, 0x7F, 0x85, 0x180, 0x416, 0x5D0, 0x627, 0x4E2D, 0xFFFD, 0x1F600, 0x10FFFF]
            as [UInt32])
    func everythingElseIsTheBox(scalar: UInt32) {
        #expect(index(scalar) == GlyphCoverage.latin.replacementIndex)
        #expect(index(scalar, .ascii) == GlyphCoverage.ascii.replacementIndex)
    }

    @Test(arguments: [0xAD, 0x301, 0x200B, 0x200D, 0x202E, 0x2066, 0xFE0F, 0xFEFF, 0x1F3FD, 0xE0067] as [UInt32])
    func whatOnlyChangesANeighbourTakesNoRoom(scalar: UInt32) {
        #expect(index(scalar) == nil)
    }

    @Test(arguments: [0x09, 0x0A, 0x0D, 0x2009, 0x3000] as [UInt32]) func blanksOfAllKindsAreBlanks(scalar: UInt32) {
        #expect(index(scalar) == 0)
    }

    @Test func minusAndHyphensAreTheHyphen() {
        #expect(index(0x2212) == index(0x2D) && index(0x2011) == index(0x2D))
    }
}
