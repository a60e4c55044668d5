import Pictures
import Testing

struct PortableNetworkGraphicsTests {
    private func picture(_ maker: PNGMaker, _ pixel: (Int, Int) -> [UInt8]) throws -> GreyPicture {
        try PortableNetworkGraphics.picture(in: maker.file(pixel))
    }

    private func isError(_ file: [UInt8], _ check: (PictureError) -> Bool) -> Bool {
        do throws(PictureError) {
            _ = try PortableNetworkGraphics.picture(in: file)
            return false
        } catch {
            return check(error)
        }
    }

    @Test(arguments: [(2, 1), (4, 2), (9, 4)])
    func `A file with a palette has its colours, and as many bits a pixel as they need`(colours: Int, depth: Int) throws
    {
        let size = PictureSize(width: colours, height: 3)
        let palette = (0..<colours).map { number in
            let brightness = UInt8(number * 20)
            return Colour(red: brightness, green: brightness, blue: brightness)
        }
        let pixels: [UInt8] = (0..<3 * colours).map { UInt8($0 % colours) }
        let file = try PortableNetworkGraphics.file(colours: palette, pixels: pixels, of: size)
        #expect(file[24] == UInt8(depth))
        #expect(try PortableNetworkGraphics.picture(in: file).pixels == pixels.map { $0 * 20 })
    }

    @Test(arguments: [1, 2, 4, 8, 16] as [UInt8])
    func `Grey of 1, 2, 4, 8 and 16 bits is read as it is`(depth: UInt8) throws {
        let maker = PNGMaker(width: 11, height: 5, depth: depth)
        let most = depth == 16 ? 255 : (1 << Int(depth)) - 1
        let picture = try picture(maker) { x, y in
            let sample = UInt8((x * 7 + y) % (most + 1))
            return depth == 16 ? [sample, sample] : [sample]
        }
        let expected = (0..<55).map { ($0 % 11 * 7 + $0 / 11) % (most + 1) * 255 / most }
        #expect(picture.size == PictureSize(width: 11, height: 5))
        // Deep samples are linear in between, where the darkest are close together.
        let tolerance = depth == 16 ? 1 : 0
        for (found, expected) in zip(picture.pixels, expected) { #expect(abs(Int(found) - expected) <= tolerance) }
    }

    @Test(arguments: [8, 16] as [UInt8], [1, 3, 8, 13])
    func `An interlaced file is the same picture`(depth: UInt8, width: Int) throws {
        let plain = PNGMaker(width: width, height: 9, depth: depth)
        var laced = plain
        laced.interlacing = .adam7
        let pixel = { (x: Int, y: Int) in [UInt8](repeating: UInt8(x * 16 + y), count: Int(depth) / 8) }
        #expect(try picture(laced, pixel) == picture(plain, pixel))
    }

    @Test func `A palette's colours are read, and a number beyond it is an error or black`() throws {
        var maker = PNGMaker(width: 3, height: 1, depth: 2, colour: .indexed)
        maker.palette = [0, 0, 0, 255, 255, 255, 128, 128, 128]
        #expect(try picture(maker) { x, _ in [UInt8(x)] }.pixels == [0, 255, 128])
        let beyond = maker.file { _, _ in [3] }
        let isDamaged = isError(beyond) { if case .damaged = $0 { true } else { false } }
        #expect(try isDamaged || PortableNetworkGraphics.picture(in: beyond).pixels.count == 3)
    }

    @Test func `Green is brighter than red, and red than blue`() throws {
        let maker = PNGMaker(width: 3, height: 1, colour: .trueColour)
        let grey = try picture(maker) { x, _ in (0..<3).map { $0 == x ? 255 : 0 } }.pixels
        #expect(grey[1] > grey[0] && grey[0] > grey[2] && grey[2] > 0)
    }

    @Test func `What is transparent is white, and what is half so is between`() throws {
        let maker = PNGMaker(width: 3, height: 1, colour: .greyAlpha)
        let grey = try picture(maker) { x, _ in [0, UInt8([0, 128, 255][x])] }.pixels
        #expect(grey[0] == 255 && grey[2] == 0 && (1...254).contains(grey[1]))
        let colour = PNGMaker(width: 2, height: 1, depth: 16, colour: .trueColourAlpha)
        #expect(
            try picture(colour) { x, _ in [0, 0, 0, 0, 0, 0] + (x == 0 ? [0, 0] : [255, 255]) }.pixels == [255, 0])
    }

    @Test func `A picture of one pixel is one`() throws {
        #expect(try picture(PNGMaker(width: 1, height: 1)) { _, _ in [200] }.pixels == [200])
    }

    @Test func `Whatever is no PNG file is told apart from one that is damaged`() {
        for file in [[], Array("P4\n1 1\n\0".utf8), [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E]] {
            #expect(isError(file) { $0 == .notPNG })
        }
        #expect(PictureError.notPNG.description.contains("convert it to PNG"))
    }

    @Test func `A file that is cut anywhere is an error, or its end was of no use`() throws {
        let whole = PNGMaker(width: 16, height: 16).file { x, y in [UInt8(x * y)] }
        // Behind the content are a checksum of twelve bytes for it and the chunk of the end.
        for length in 8..<whole.count - 16 {
            #expect(
                isError(Array(whole[..<length])) { if case .damaged = $0 { true } else { false } }, "cut at \(length)")
        }
    }

    @Test func `A size that would take too much memory is refused before there is any content`() {
        let wide = PNGMaker(width: 1_000_000, height: 1_000_000)
        let million = PictureSize(width: 1_000_000, height: 1_000_000)
        #expect(isError(wide.header + wide.chunk("IDAT", [0])) { $0 == .tooLarge(million, most: 64 << 20) })
        var deep = PNGMaker(width: 1 << 13, height: 1 << 12, depth: 16)
        let size = PictureSize(width: deep.width, height: deep.height)
        #expect(isError(deep.header + deep.chunk("IDAT", [0])) { $0 == .tooLarge(size, most: 16 << 20) })
        deep.depth = 8
        #expect(isError(deep.header + deep.chunk("IDAT", [0])) { if case .damaged = $0 { true } else { false } })
        for side in [1_000_001, Int(UInt32.max)] {
            let wider = PNGMaker(width: side, height: 1)
            #expect(isError(wider.header) { if case .damaged = $0 { true } else { false } }, "\(side)")
        }
    }

    @Test func `Its writer's files are read back`() throws {
        let size = PictureSize(width: 10, height: 3)
        let pixels = (0..<30).map { UInt8($0 % 3 == 0 ? 1 : 0) }
        let file = try PortableNetworkGraphics.file(blackAndWhite: pixels, of: size)
        #expect(try PortableNetworkGraphics.picture(in: file).pixels == pixels.map { $0 * 255 })
    }
}
