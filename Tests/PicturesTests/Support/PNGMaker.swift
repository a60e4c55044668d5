/// Makes PNG files of every kind without libpng, from section 4 to 11 of the PNG specification (www.w3.org/TR/png-3).
struct PNGMaker {
    /// The colour types of the header.
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
    /// Three bytes a colour.
    var palette: [UInt8] = []

    /// The file. `pixel` gives the samples of a pixel, each in the bytes that it has: two of 16 bits; below 8 bits a line is packed.
    func file(_ pixel: (Int, Int) -> [UInt8]) -> [UInt8] {
        header + chunk("IDAT", PNGMaker.compressed(lines(pixel))) + chunk("IEND", [])
    }

    /// The signature, the header and the palette.
    var header: [UInt8] {
        let head =
            PNGMaker.bytes(UInt32(width)) + PNGMaker.bytes(UInt32(height))
            + [depth, colour.rawValue, 0, 0, interlacing.rawValue]
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head)
            + (palette.isEmpty ? [] : chunk("PLTE", palette))
    }

    /// The lines of each pass, with their filter byte: no filter.
    private func lines(_ pixel: (Int, Int) -> [UInt8]) -> [UInt8] {
        // Where each pass begins, and its steps: across and down.
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

    /// A zlib stream (RFC 1950) of stored blocks (RFC 1951, 3.2.4).
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
