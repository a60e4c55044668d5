import CGIF
import DeviceModel
import Foundation
import TestSupport
import Testing
import WatchLink

struct AnimationTests {
    private static let palette = [
        Colour(red: 0, green: 0, blue: 0), Colour(red: 128, green: 128, blue: 128),
        Colour(red: 64, green: 64, blue: 64),
    ]

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
            #expect(reader.repeatsForEver == (frames > 1))
        }
    }

    @Test func `A frame that changes little takes few bytes`() throws {
        let still = [UInt8](repeating: 0, count: 288 * 336)
        var dot = still
        dot[10_000] = 1
        let frames = (0..<100).map { Animation.Frame(pixels: $0 % 2 == 0 ? still : dot, hundredths: 4) }
        let size = PictureSize(width: 288, height: 336)
        let animation = Animation(size: size, palette: AnimationTests.palette, count: frames.count) { frames[$0] }
        // Each frame takes 8 bytes for its time, 10 for its position, and the code of one pixel.
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

struct GIFReader {
    struct Screen: Equatable {
        var pixels: [[UInt8]]
        var hundredths: Int
    }

    struct Malformed: Error {}

    let width: Int
    let height: Int
    let repeatsForEver: Bool
    let screens: [Screen]

    init(_ bytes: [UInt8]) throws {
        let directory = TemporaryDirectory()
        let path = directory.file("animation.gif")
        try Data(bytes).write(to: URL(filePath: path))
        guard let file = DGifOpenFileName(path, nil) else { throw Malformed() }
        defer { DGifCloseFile(file, nil) }
        guard DGifSlurp(file) == GIF_OK, let map = file.pointee.SColorMap?.pointee else { throw Malformed() }
        let colours = (0..<Int(map.ColorCount)).map { map.Colors[$0] }.map { [$0.Red, $0.Green, $0.Blue] }
        let (width, height) = (Int(file.pointee.SWidth), Int(file.pointee.SHeight))
        (self.width, self.height) = (width, height)
        let images = (0..<Int(file.pointee.ImageCount)).map { file.pointee.SavedImages[$0] }
        let extensions = (0..<Int(images[0].ExtensionBlockCount)).map { images[0].ExtensionBlocks[$0] }
            .map { Array(UnsafeBufferPointer(start: $0.Bytes, count: Int($0.ByteCount))) }
        repeatsForEver = extensions.starts(with: [Array("NETSCAPE2.0".utf8), [1, 0, 0]])
        var pixels = Array(repeating: [0, 0, 0] as [UInt8], count: width * height)
        screens = images.enumerated().map { number, image in
            var control = GraphicsControlBlock()
            DGifSavedExtensionToGCB(file, CInt(number), &control)
            let area = image.ImageDesc
            for place in 0..<Int(area.Width * area.Height) {
                let index = image.RasterBits[place]
                guard CInt(index) != control.TransparentColor else { continue }
                let (line, column) = place.quotientAndRemainder(dividingBy: Int(area.Width))
                pixels[(Int(area.Top) + line) * width + Int(area.Left) + column] = colours[Int(index)]
            }
            return Screen(pixels: pixels, hundredths: Int(control.DelayTime))
        }
    }
}
