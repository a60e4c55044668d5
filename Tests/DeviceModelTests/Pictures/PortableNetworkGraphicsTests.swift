import DeviceModel
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

    @Test(arguments: [1, 2, 4, 8] as [UInt8])
    func `Grey of 1, 2, 4 and 8 bits is read as it is`(depth: UInt8) throws {
        let maker = PNGMaker(width: 11, height: 5, depth: depth)
        let most = (1 << Int(depth)) - 1
        let picture = try picture(maker) { x, y in [UInt8((x * 7 + y) % (most + 1))] }
        #expect(picture.size == PictureSize(width: 11, height: 5))
        #expect(picture.pixels == (0..<55).map { UInt8(($0 % 11 * 7 + $0 / 11) % (most + 1) * 255 / most) })
    }

    @Test func `Samples of 16 bits are refused`() {
        var maker = PNGMaker(width: 3, height: 9, depth: 16)
        for interlacing in [PNGMaker.Interlacing.none, .adam7] {
            maker.interlacing = interlacing
            #expect(isError(maker.file { _, _ in [1, 2] }) { $0 == .tooDeep })
        }
    }

    @Test(arguments: [1, 3, 8, 13])
    func `An interlaced file is the same picture`(width: Int) throws {
        let plain = PNGMaker(width: width, height: 9)
        var laced = plain
        laced.interlacing = .adam7
        let pixel = { (x: Int, y: Int) in [UInt8(x * 16 + y)] }
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
        let colour = PNGMaker(width: 2, height: 1, colour: .trueColourAlpha)
        #expect(try picture(colour) { x, _ in [0, 0, 0, x == 0 ? 0 : 255] }.pixels == [255, 0])
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
        // The last 16 bytes are the checksum of IDAT (4) and the chunk IEND (12). A reader may do without them.
        for length in 8..<whole.count - 16 {
            #expect(
                isError(Array(whole[..<length])) { if case .damaged = $0 { true } else { false } }, "cut at \(length)")
        }
    }

    @Test func `A size that would take too much memory is refused before there is any content`() {
        let wide = PNGMaker(width: 1_000_000, height: 1_000_000)
        let million = PictureSize(width: 1_000_000, height: 1_000_000)
        #expect(isError(wide.header + wide.chunk("IDAT", [0])) { $0 == .tooLarge(million, most: 64 << 20) })
        let empty = PNGMaker(width: 1 << 13, height: 1 << 12)
        #expect(isError(empty.header + empty.chunk("IDAT", [0])) { if case .damaged = $0 { true } else { false } })
        for side in [1_000_001, Int(UInt32.max)] {
            let wider = PNGMaker(width: side, height: 1)
            #expect(isError(wider.header) { if case .damaged = $0 { true } else { false } }, "\(side)")
        }
    }

    @Test func `Its writer's files are read back`() throws {
        let size = PictureSize(width: 10, height: 3)
        let pixels = (0..<30).map { UInt8($0 % 3 == 0 ? 1 : 0) }
        let file = try PortableNetworkGraphics.file(colours: Colour.blackAndWhite, pixels: pixels, of: size)
        #expect(try PortableNetworkGraphics.picture(in: file).pixels == pixels.map { $0 * 255 })
    }
}

/// Makes PNG files of every kind without libpng. Follows sections 4 to 11 of the PNG specification
/// (www.w3.org/TR/png-3).
struct PNGMaker {
    enum Colour: UInt8 {
        case grey = 0
        case trueColour = 2
        case indexed = 3
        case greyAlpha = 4
        case trueColourAlpha = 6
    }

    enum Interlacing: UInt8 {
        case none = 0
        case adam7 = 1
    }

    var width: Int
    var height: Int
    var depth: UInt8 = 8
    var colour = Colour.grey
    var interlacing = Interlacing.none
    /// Red, green and blue of each colour, one byte each.
    var palette: [UInt8] = []

    /// Returns the file. The closure returns the samples of the pixel at a column and a line: two bytes for each 16-bit
    /// sample, one byte for each shorter sample.
    func file(_ pixel: (Int, Int) -> [UInt8]) -> [UInt8] {
        header + chunk("IDAT", PNGMaker.compressed(lines(pixel))) + chunk("IEND", [])
    }

    var header: [UInt8] {
        let head =
            PNGMaker.bytes(UInt32(width)) + PNGMaker.bytes(UInt32(height))
            + [depth, colour.rawValue, 0, 0, interlacing.rawValue]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head)
            + (palette.isEmpty ? [] : chunk("PLTE", palette))
    }

    /// Returns the lines of all passes. The byte before each line is 0: no filter.
    private func lines(_ pixel: (Int, Int) -> [UInt8]) -> [UInt8] {
        // Each pass: first column, first line, step across, step down.
        let adam7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        var bytes: [UInt8] = []
        for (left, top, across, down) in interlacing == .none ? [(0, 0, 1, 1)] : adam7 {
            for y in stride(from: top, to: height, by: down) {
                let samples = stride(from: left, to: width, by: across).flatMap { pixel($0, y) }
                if !samples.isEmpty { bytes += [0] + packed(samples) }
            }
        }
        return bytes
    }

    private func packed(_ samples: [UInt8]) -> [UInt8] {
        guard depth < 8 else { return samples }
        let perByte = 8 / Int(depth)
        return stride(from: 0, to: samples.count, by: perByte).map { start in
            (0..<perByte).reduce(0) { byte, index in
                let sample = start + index < samples.count ? samples[start + index] : 0
                return byte << depth | sample
            }
        }
    }

    func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(type.utf8) + content
        return PNGMaker.bytes(UInt32(content.count)) + body + PNGMaker.bytes(PNGMaker.crc(body))
    }

    /// Returns a zlib stream (RFC 1950) of uncompressed blocks (RFC 1951, 3.2.4).
    private static func compressed(_ content: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        for start in stride(from: 0, to: content.count, by: 65_535) {
            let block = content[start..<min(start + 65_535, content.count)]
            let count = UInt16(block.count)
            let isLast: UInt8 = block.endIndex == content.count ? 1 : 0
            stream += [isLast, UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)] + block
        }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in content {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return stream + bytes(high << 16 | low)
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc = UInt32.max
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = crc & 1 == 1
                crc >>= 1
                if isOdd { crc ^= 0xEDB8_8320 }
            }
        }
        return ~crc
    }

    private static func bytes(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
