import Testing

@testable import DeviceModel

@Suite struct ColourPictureTests {
    private let size = PictureSize(width: 3, height: 2)
    private let colours = [
        Colour(red: 255, green: 0, blue: 0), Colour(red: 0, green: 255, blue: 0), Colour(red: 0, green: 0, blue: 255),
        Colour(red: 1, green: 2, blue: 3), Colour(red: 255, green: 255, blue: 255), Colour(red: 0, green: 0, blue: 0),
    ]

    @Test func `a PNG file keeps each colour`() throws {
        let picture = ColourPicture(size: size, pixels: colours)
        let file = try PortableNetworkGraphics.file(picture)
        #expect(try PortableNetworkGraphics.colourPicture(in: file) == picture)
    }

    @Test func `few colours are kept as they are`() {
        let counts = Dictionary(uniqueKeysWithValues: colours.map { ($0, 1) })
        let choice = ColourChoice(counts, most: 255)
        #expect(choice.palette.count == colours.count)
        #expect(colours.allSatisfy { choice.palette[Int(choice.place(of: $0))] == $0 })
    }

    @Test func `of many colours each becomes a similar one`() {
        var counts: [Colour: Int] = [:]
        for red in 0..<32 {
            for blue in 0..<32 { counts[Colour(red: UInt8(red * 8), green: 0, blue: UInt8(blue * 8))] = 1 }
        }
        let choice = ColourChoice(counts, most: 64)
        #expect(choice.palette.count == 64)
        // 64 boxes of 4 by 4 colours: at most 12 away from the mean.
        let distances = counts.keys.map { colour in
            let chosen = choice.palette[Int(choice.place(of: colour))]
            return max(abs(Int(chosen.red) - Int(colour.red)), abs(Int(chosen.blue) - Int(colour.blue)))
        }
        #expect((distances.max() ?? 0) <= 32)
    }
}
