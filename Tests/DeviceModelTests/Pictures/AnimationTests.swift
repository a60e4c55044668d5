import DeviceModel
import TestSupport
import Testing
import WatchLink

struct AnimationTests {
    private static let palette = [
        Colour(red: 0, green: 0, blue: 0), Colour(red: 128, green: 128, blue: 128),
        Colour(red: 64, green: 64, blue: 64),
    ]

    /// Each frame changes some pixels of the previous one, and some frames change nothing.
    private func animation(_ numbers: inout SplitMix64, frames: Int, width: Int, height: Int) -> Animation {
        var pixels = (0..<width * height).map { _ in UInt8.random(in: 0..<3, using: &numbers) }
        let frames = (0..<frames).map { _ in
            for _ in 0..<Int.random(in: 0..<20, using: &numbers) {
                pixels[Int.random(in: pixels.indices, using: &numbers)] = UInt8.random(in: 0..<3, using: &numbers)
            }
            return Animation.Frame(pixels: pixels, hundredths: Int.random(in: 1...300, using: &numbers))
        }
        return Animation(
            size: PictureSize(width: width, height: height), palette: AnimationTests.palette, count: frames.count
        ) { frames[$0] }
    }

    @Test(arguments: [1, 2, 30]) func `A GIF file shows each frame, for its time`(frames: Int) throws {
        try withSeeds(10, "GIF files") { numbers, _ in
            let (width, height) = (Int.random(in: 1...150, using: &numbers), Int.random(in: 1...170, using: &numbers))
            let animation = animation(&numbers, frames: frames, width: width, height: height)
            let reader = try GIFReader(GraphicsInterchangeFormat.file(animation))
            let shown = Array(animation.frames)
            #expect((reader.width, reader.height) == (width, height))
            #expect(reader.screens.map(\.hundredths) == shown.map(\.hundredths))
            for (screen, frame) in zip(reader.screens, shown) {
                #expect(screen.pixels == frame.pixels.map { AnimationTests.bytes(of: $0) })
            }
            #expect(reader.repetition == (frames == 1 ? .once : .forEver))
        }
    }

    @Test func `A frame that changes little takes few bytes`() throws {
        let still = [UInt8](repeating: 0, count: 288 * 336)
        var dot = still
        dot[10_000] = 1
        let frames = (0..<100).map { Animation.Frame(pixels: $0 % 2 == 0 ? still : dot, hundredths: 4) }
        let size = PictureSize(width: 288, height: 336)
        let animation = Animation(size: size, palette: AnimationTests.palette, count: frames.count) { frames[$0] }
        // 8 bytes for its time, 10 for its place, and the code of one pixel.
        #expect(try GraphicsInterchangeFormat.file(animation).count < 3_000)
    }

    @Test func `A side longer than a GIF file can have is an error`() throws {
        let size = PictureSize(width: 65_536, height: 1)
        let frame = Animation.Frame(pixels: [UInt8](repeating: 0, count: 65_536), hundredths: 1)
        let animation = Animation(size: size, palette: AnimationTests.palette, count: 1) { _ in frame }
        #expect(throws: PictureError.tooLarge(size, most: 65_535 * 65_535)) {
            try GraphicsInterchangeFormat.file(animation)
        }
    }

    private static func bytes(of index: UInt8) -> [UInt8] {
        let colour = palette[Int(index)]
        return [colour.red, colour.green, colour.blue]
    }
}

/// Reads GIF files without giflib, from "Graphics Interchange Format, version 89a" (CompuServe, 1990): what a program that shows
/// them has on its screen.
struct GIFReader {
    struct Screen: Equatable {
        /// Red, green and blue of each pixel.
        var pixels: [[UInt8]]
        var hundredths: Int
    }

    enum Repetition: Equatable {
        case once
        case forEver
    }

    struct Malformed: Error {}

    private(set) var width = 0
    private(set) var height = 0
    private(set) var screens: [Screen] = []
    private(set) var repetition = Repetition.once

    private var rest: ArraySlice<UInt8>
    private var colours: [[UInt8]] = []
    private var control: (hundredths: Int, transparent: UInt8?) = (0, nil)

    init(_ file: [UInt8]) throws {
        rest = file[...]
        guard try take(6) == Array("GIF89a".utf8) else { throw Malformed() }
        (width, height) = (try number(), try number())
        let flags = try take(1)[0]
        _ = try take(2)
        if flags & 0x80 != 0 { colours = try table(2 << Int(flags & 7)) }
        while let block = try take(1).first, block != 0x3B {
            switch block {
            case 0x21: try readExtension()
            case 0x2C: try readImage()
            default: throw Malformed()
            }
        }
        guard rest.isEmpty else { throw Malformed() }
    }

    private mutating func readExtension() throws {
        let label = try take(1)[0]
        let blocks = try subBlocks()
        switch label {
        case 0xF9:
            let bytes = blocks[0]
            let transparent = bytes[0] & 1 != 0 ? bytes[3] : nil
            control = (Int(bytes[1]) | Int(bytes[2]) << 8, transparent)
        case 0xFF where blocks[0] == Array("NETSCAPE2.0".utf8):
            repetition = blocks[1] == [1, 0, 0] ? .forEver : .once
        default: break
        }
    }

    private mutating func readImage() throws {
        let (left, top, columns, lines) = (try number(), try number(), try number(), try number())
        guard try take(1)[0] == 0 else { throw Malformed() }
        let codeSize = Int(try take(1)[0])
        let indices = try GIFReader.decompressed(subBlocks().flatMap(\.self), codeSize: codeSize)
        guard indices.count == columns * lines, left + columns <= width, top + lines <= height else {
            throw Malformed()
        }
        var pixels = screens.last?.pixels ?? Array(repeating: [0, 0, 0], count: width * height)
        for (place, index) in indices.enumerated() where index != control.transparent {
            pixels[(top + place / columns) * width + left + place % columns] = colours[Int(index)]
        }
        screens.append(Screen(pixels: pixels, hundredths: control.hundredths))
    }

    /// The variable-length codes of Lempel, Ziv and Welch (the specification, appendix F).
    private static func decompressed(_ bytes: [UInt8], codeSize: Int) throws -> [UInt8] {
        let (clear, end) = (1 << codeSize, (1 << codeSize) + 1)
        let alphabet = (0..<clear).map { [UInt8($0)] } + [[], []]
        var (table, size) = (alphabet, codeSize + 1)
        var before: [UInt8]?
        var (register, bits) = (0, 0)
        var output: [UInt8] = []
        for byte in bytes {
            register |= Int(byte) << bits
            bits += 8
            while bits >= size {
                let code = register & ((1 << size) - 1)
                register >>= size
                bits -= size
                if code == end { return output }
                if code == clear {
                    (table, size, before) = (alphabet, codeSize + 1, nil)
                    continue
                }
                let entry: [UInt8]
                if code < table.count {
                    entry = table[code]
                } else if code == table.count, let before {
                    entry = before + before.prefix(1)
                } else {
                    throw Malformed()
                }
                output += entry
                if let before, table.count < 4_096 { table.append(before + [entry[0]]) }
                if table.count == 1 << size, size < 12 { size += 1 }
                before = entry
            }
        }
        throw Malformed()
    }

    private mutating func table(_ count: Int) throws -> [[UInt8]] {
        var colours: [[UInt8]] = []
        for _ in 0..<count { colours.append(try take(3)) }
        return colours
    }

    private mutating func subBlocks() throws -> [[UInt8]] {
        var blocks: [[UInt8]] = []
        while let length = try take(1).first, length > 0 { blocks.append(try take(Int(length))) }
        return blocks
    }

    private mutating func number() throws -> Int {
        let bytes = try take(2)
        return Int(bytes[0]) | Int(bytes[1]) << 8
    }

    private mutating func take(_ count: Int) throws -> [UInt8] {
        guard rest.count >= count else { throw Malformed() }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
