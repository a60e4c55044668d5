import CGIF

package struct Colour: Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A palette in which index 0 is black and index 1 is white. With it, libpng stores one bit for each pixel.
    package static let blackAndWhite = [Colour(red: 0, green: 0, blue: 0), Colour(red: 255, green: 255, blue: 255)]
}

package struct Animation {
    package struct Frame: Equatable, Sendable {
        /// Palette indices, line by line from the top.
        package let pixels: [UInt8]
        /// How long the frame is shown, in hundredths of a second: 1 to 65,535.
        package let hundredths: Int

        package init(pixels: [UInt8], hundredths: Int) {
            self.pixels = pixels
            self.hundredths = min(max(hundredths, 1), 65_535)
        }
    }

    /// The maximum number of colours in a palette. A GIF file uses one more index for unchanged pixels.
    package static let mostColours = 255

    package let size: PictureSize
    package let palette: [Colour]
    /// A frame is drawn each time it is accessed, so a long animation needs little memory.
    package let frames: LazyMapCollection<Range<Int>, Frame>

    package init(size: PictureSize, palette: [Colour], count: Int, draw: @escaping (Int) -> Frame) {
        precondition((1...Animation.mostColours).contains(palette.count), "an animation has 1 to 255 colours")
        precondition(count > 0, "an animation has a frame")
        self.size = size
        self.palette = palette
        frames = (0..<count).lazy.map(draw)
    }

    /// Passes each frame to `body`: the first as a whole picture, a later one as its difference from the previous frame.
    func forEachChange(_ body: (FrameChange) throws(PictureError) -> Void) throws(PictureError) {
        var before: Frame?
        for frame in frames {
            precondition(
                frame.pixels.count == size.width * size.height && frame.pixels.allSatisfy { $0 < palette.count },
                "a frame has a colour for each pixel")
            let change = before.map { FrameChange(frame, after: $0, of: size) } ?? FrameChange(all: frame, of: size)
            try body(change)
            before = frame
        }
    }

    var asBefore: UInt8 { UInt8(palette.count) }
}

/// The smallest rectangle that contains all changed pixels of a frame.
struct FrameChange: Equatable {
    let x: Int
    let y: Int
    let size: PictureSize
    /// Palette indices. Nil for an unchanged pixel.
    let pixels: [UInt8?]
    let hundredths: Int

    init(all frame: Animation.Frame, of size: PictureSize) {
        (x, y) = (0, 0)
        self.size = size
        pixels = frame.pixels
        hundredths = frame.hundredths
    }

    init(_ frame: Animation.Frame, after before: Animation.Frame, of size: PictureSize) {
        var (left, right, top, bottom) = (size.width, 0, size.height, 0)
        for line in 0..<size.height {
            for column in 0..<size.width
            where frame.pixels[line * size.width + column] != before.pixels[line * size.width + column] {
                (left, right) = (min(left, column), max(right, column))
                (top, bottom) = (min(top, line), max(bottom, line))
            }
        }
        if left > right { (left, right, top, bottom) = (0, 0, 0, 0) }
        (x, y) = (left, top)
        self.size = PictureSize(width: right - left + 1, height: bottom - top + 1)
        pixels = (top...bottom).flatMap { line in
            (left...right).map { column in
                let index = line * size.width + column
                return frame.pixels[index] != before.pixels[index] ? frame.pixels[index] : nil
            }
        }
        hundredths = frame.hundredths
    }
}

/// Writes animated GIF files with giflib (gif_lib.h), in the format of "Graphics Interchange Format, version 89a", CompuServe
/// 1990.
package enum GraphicsInterchangeFormat {
    /// The maximum width and height in pixels. A file stores them in 16 bits (section 18 of the specification).
    package static let longestSide = 65_535

    /// Encodes an animation that repeats forever.
    ///
    /// - Throws: `.tooLarge` if a side is longer than 65,535 pixels; `.notWritten` with giflib's message.
    package static func file(_ animation: Animation) throws(PictureError) -> [UInt8] {
        let most = longestSide
        guard max(animation.size.width, animation.size.height) <= most else {
            throw .tooLarge(animation.size, most: most * most)
        }
        let sink = FileSink()
        let writer = try GIFWriter(into: sink)
        do throws(PictureError) {
            try writer.begin(animation)
            try animation.forEachChange { change throws(PictureError) in
                try writer.add(change, asBefore: animation.asBefore)
            }
        } catch {
            writer.abandon()
            throw error
        }
        try writer.end()
        return sink.bytes
    }
}

private final class FileSink {
    var bytes: [UInt8] = []

    /// Appends giflib's output to the sink to which `UserData` points. The sink outlives the writer.
    static let write: OutputFunc = { file, bytes, count in
        guard let place = file?.pointee.UserData, let bytes else { return 0 }
        let sink = Unmanaged<FileSink>.fromOpaque(place).takeUnretainedValue()
        sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        return count
    }
}

private struct GIFWriter {
    private let file: UnsafeMutablePointer<GifFileType>
    private let sink: FileSink

    init(into sink: FileSink) throws(PictureError) {
        var reason: CInt = 0
        guard let file = EGifOpen(Unmanaged.passUnretained(sink).toOpaque(), FileSink.write, &reason) else {
            throw GIFWriter.error(reason)
        }
        self.file = file
        self.sink = sink
    }

    func begin(_ animation: Animation) throws(PictureError) {
        EGifSetGifVersion(file, true)
        // The number of colours in a file is a power of two (section 18 of the specification). One of them marks unchanged
        // pixels.
        var count = 2
        while count <= animation.palette.count { count *= 2 }
        let colours = (0..<count).map { index in
            let colour = index < animation.palette.count ? animation.palette[index] : animation.palette[0]
            return GifColorType(Red: colour.red, Green: colour.green, Blue: colour.blue)
        }
        guard let map = GifMakeMapObject(CInt(count), colours) else { throw GIFWriter.error(E_GIF_ERR_NOT_ENOUGH_MEM) }
        defer { GifFreeMapObject(map) }
        let (width, height) = (CInt(animation.size.width), CInt(animation.size.height))
        try check(EGifPutScreenDesc(file, width, height, 8, 0, map))
        guard animation.frames.count > 1 else { return }
        // The application extension of Netscape Navigator 2.0: sub-block 1, and the number of repetitions. 0 repeats forever.
        try check(EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE))
        try check(EGifPutExtensionBlock(file, 11, "NETSCAPE2.0"))
        try check(EGifPutExtensionBlock(file, 3, [1, 0, 0] as [UInt8]))
        try check(EGifPutExtensionTrailer(file))
    }

    func add(_ change: FrameChange, asBefore: UInt8) throws(PictureError) {
        var control = GraphicsControlBlock(
            DisposalMode: DISPOSE_DO_NOT, UserInputFlag: false, DelayTime: CInt(change.hundredths),
            TransparentColor: CInt(asBefore))
        // The four bytes of the graphic control extension (section 23 of the specification).
        var extensionBytes = [UInt8](repeating: 0, count: 4)
        _ = EGifGCBToExtension(&control, &extensionBytes)
        try check(EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, 4, extensionBytes))
        let (x, y) = (CInt(change.x), CInt(change.y))
        try check(EGifPutImageDesc(file, x, y, CInt(change.size.width), CInt(change.size.height), false, nil))
        var pixels = change.pixels.map { $0 ?? asBefore }
        try check(EGifPutLine(file, &pixels, CInt(pixels.count)))
    }

    func end() throws(PictureError) {
        var reason: CInt = 0
        guard EGifCloseFile(file, &reason) == GIF_OK else { throw GIFWriter.error(reason) }
    }

    func abandon() { _ = EGifCloseFile(file, nil) }

    private func check(_ result: CInt) throws(PictureError) {
        guard result == GIF_OK else { throw GIFWriter.error(file.pointee.Error) }
    }

    private static func error(_ reason: CInt) -> PictureError {
        .notWritten(GifErrorString(reason).map { String(cString: $0) } ?? "giflib error \(reason)")
    }
}
