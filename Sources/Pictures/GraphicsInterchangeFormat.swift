import CGIF

/// GIF files of several frames, by giflib (gif_lib.h): "Graphics Interchange Format, version 89a", CompuServe 1990.
package enum GraphicsInterchangeFormat {
    /// The most pixels of a side (the specification, 18: sizes have 16 bits).
    package static let longestSide = 65_535

    /// An animation as a file that is shown over and over.
    ///
    /// - Throws: `.tooLarge` for a side longer than 65,535 pixels; `.notWritten` with giflib's own message.
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

/// Collects the bytes of a file that giflib writes.
private final class FileSink {
    var bytes: [UInt8] = []

    /// The function that giflib hands the bytes to. `UserData` is the sink, which outlives the writer.
    static let write: OutputFunc = { file, bytes, count in
        guard let place = file?.pointee.UserData, let bytes else { return 0 }
        let sink = Unmanaged<FileSink>.fromOpaque(place).takeUnretainedValue()
        sink.bytes.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        return count
    }
}

/// A file that giflib writes.
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

    /// Writes what comes before the first frame: size, colours, and that the frames begin again after the last one.
    func begin(_ animation: Animation) throws(PictureError) {
        EGifSetGifVersion(file, true)
        // A map has a power of two of colours (the specification, 18); one is for "as before".
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
        // The application extension of Netscape Navigator 2.0: sub-block 1, and how often, 0 for ever.
        try check(EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE))
        try check(EGifPutExtensionBlock(file, 11, "NETSCAPE2.0"))
        try check(EGifPutExtensionBlock(file, 3, [1, 0, 0] as [UInt8]))
        try check(EGifPutExtensionTrailer(file))
    }

    func add(_ change: FrameChange, asBefore: UInt8) throws(PictureError) {
        var control = GraphicsControlBlock(
            DisposalMode: DISPOSE_DO_NOT, UserInputFlag: false, DelayTime: CInt(change.hundredths),
            TransparentColor: CInt(asBefore))
        // The four bytes of the extension (the specification, 23).
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

    /// Gives up a file that could not be written.
    func abandon() { _ = EGifCloseFile(file, nil) }

    private func check(_ result: CInt) throws(PictureError) {
        guard result == GIF_OK else { throw GIFWriter.error(file.pointee.Error) }
    }

    private static func error(_ reason: CInt) -> PictureError {
        .notWritten(GifErrorString(reason).map { String(cString: $0) } ?? "giflib error \(reason)")
    }
}
