import Pictures
import WatchLink

/// Reads animated PNG files of greys: each frame is made a file of its own, which libpng reads, and put over the frame before it. White
/// stands for what is transparent (the PNG specification, third edition, 11.3.2).
struct AnimatedPNGReader {
    struct Malformed: Error {}

    private(set) var screens: [[UInt8]] = []
    private(set) var hundredths: [Int] = []

    private struct FrameControl {
        let width: Int
        let height: Int
        let x: Int
        let y: Int
        let hundredths: Int
    }

    init(_ file: [UInt8]) throws {
        var header: [UInt8] = []
        var shared: [UInt8] = []
        var (sequence, count) = (0, 0)
        var frame: (control: FrameControl, content: [UInt8])?
        for (type, bytes) in try AnimatedPNGReader.chunks(in: file) {
            switch type {
            case "IHDR": header = bytes
            case "PLTE", "tRNS": shared += AnimatedPNGReader.chunk(type, bytes)
            case "acTL": count = AnimatedPNGReader.number(bytes.prefix(4))
            case "fcTL":
                if let frame { try show(frame.control, frame.content, header, shared) }
                frame = (try AnimatedPNGReader.control(bytes, sequence), [])
                sequence += 1
            case "IDAT": frame?.content += bytes
            case "fdAT":
                guard AnimatedPNGReader.number(bytes.prefix(4)) == sequence else { throw Malformed() }
                sequence += 1
                frame?.content += bytes.dropFirst(4)
            default: break
            }
        }
        if let frame { try show(frame.control, frame.content, header, shared) }
        guard count == screens.count else { throw Malformed() }
    }

    private static func control(_ bytes: [UInt8], _ sequence: Int) throws -> FrameControl {
        let numbers = stride(from: 0, to: 20, by: 4).map { number(bytes[$0..<$0 + 4]) }
        // The delay is a fraction, here of hundredths; the frame stays, and is put over the one before.
        guard numbers[0] == sequence, number(bytes[22..<24]) == 100, bytes[24...] == [0, 1] else { throw Malformed() }
        return FrameControl(
            width: numbers[1], height: numbers[2], x: numbers[3], y: numbers[4], hundredths: number(bytes[20..<22]))
    }

    private mutating func show(
        _ control: FrameControl, _ content: [UInt8], _ header: [UInt8], _ shared: [UInt8]
    ) throws {
        let size = [control.width, control.height].flatMap { AnimatedPNGReader.bytes(UInt32($0)) }
        let file =
            Array("\u{89}PNG\r\n\u{1A}\n".unicodeScalars.map { UInt8($0.value) })
            + AnimatedPNGReader.chunk("IHDR", size + header.dropFirst(8)) + shared
            + AnimatedPNGReader.chunk("IDAT", content) + AnimatedPNGReader.chunk("IEND", [])
        let picture = try PortableNetworkGraphics.picture(in: file)
        let width = AnimatedPNGReader.number(header.prefix(4))
        var screen = screens.last ?? picture.pixels
        for (place, pixel) in picture.pixels.enumerated() where pixel != 255 {
            screen[(control.y + place / control.width) * width + control.x + place % control.width] = pixel
        }
        screens.append(screen)
        hundredths.append(control.hundredths)
    }

    private static func chunks(in file: [UInt8]) throws -> [(String, [UInt8])] {
        var rest = file.dropFirst(8)
        var chunks: [(String, [UInt8])] = []
        while !rest.isEmpty {
            let length = number(rest.prefix(4))
            let (type, bytes) = (rest.dropFirst(4).prefix(4), rest.dropFirst(8).prefix(length))
            guard number(rest.dropFirst(8 + length).prefix(4)) == Int(CRC32.checksum(of: Array(type + bytes).span))
            else {
                throw Malformed()
            }
            chunks.append((String(decoding: type, as: UTF8.self), Array(bytes)))
            rest = rest.dropFirst(12 + length)
        }
        return chunks
    }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + content
        return bytes(UInt32(content.count)) + checked + bytes(CRC32.checksum(of: checked.span))
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
