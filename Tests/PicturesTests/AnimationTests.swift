import Pictures
import SeededNumbers
import Testing
import WatchLink

struct AnimationTests {
    private static let palette = [
        Colour(red: 0, green: 0, blue: 0), Colour(red: 128, green: 128, blue: 128),
        Colour(red: 64, green: 64, blue: 64),
    ]

    /// Frames of which each changes some pixels of the one before, and some nothing.
    private func animation(_ numbers: inout SplitMix64, frames: Int, width: Int, height: Int) -> Animation {
        var pixels = (0..<width * height).map { _ in UInt8.random(in: 0..<3, using: &numbers) }
        let frames = (0..<frames).map { _ in
            for _ in 0..<Int.random(in: 0..<20, using: &numbers) {
                pixels[Int.random(in: pixels.indices, using: &numbers)] = UInt8.random(in: 0..<3, using: &numbers)
            }
            return Animation.Frame(pixels: pixels, hundredths: Int.random(in: 1...300, using: &numbers))
        }
        return Animation(
            size: PictureSize(width: width, height: height), palette: AnimationTests.palette, frames: frames)
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
        let animation = Animation(size: size, palette: AnimationTests.palette, frames: frames)
        // 8 bytes for its time, 10 for its place, and the code of one pixel.
        #expect(try GraphicsInterchangeFormat.file(animation).count < 3_000)
    }

    @Test func `A side longer than a GIF file can have is an error`() throws {
        let size = PictureSize(width: 65_536, height: 1)
        let frame = Animation.Frame(pixels: [UInt8](repeating: 0, count: 65_536), hundredths: 1)
        let animation = Animation(size: size, palette: AnimationTests.palette, frames: [frame])
        #expect(throws: PictureError.tooLarge(size, most: 65_535 * 65_535)) {
            try GraphicsInterchangeFormat.file(animation)
        }
    }

    private static func bytes(of index: UInt8) -> [UInt8] {
        let colour = palette[Int(index)]
        return [colour.red, colour.green, colour.blue]
    }
}
