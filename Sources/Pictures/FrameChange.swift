/// What a frame changes of the picture before it: the smallest rectangle around the pixels that differ.
struct FrameChange: Equatable {
    /// The column of its left side and the line of its upper one.
    let x: Int
    let y: Int
    let size: PictureSize
    /// A palette index for each pixel of the rectangle, nil for one that is as before.
    let pixels: [UInt8?]
    let hundredths: Int

    /// The whole of a frame.
    init(all frame: Animation.Frame, of size: PictureSize) {
        (x, y) = (0, 0)
        self.size = size
        pixels = frame.pixels
        hundredths = frame.hundredths
    }

    /// A frame after another. Where nothing differs, it is one pixel that is as before.
    init(_ frame: Animation.Frame, after before: Animation.Frame, of size: PictureSize) {
        var (left, right, top, bottom) = (size.width, 0, size.height, 0)
        for line in 0..<size.height {
            for column in 0..<size.width where FrameChange.differs(frame, before, line * size.width + column) {
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
                return FrameChange.differs(frame, before, index) ? frame.pixels[index] : nil
            }
        }
        hundredths = frame.hundredths
    }

    private static func differs(_ frame: Animation.Frame, _ before: Animation.Frame, _ index: Int) -> Bool {
        frame.pixels[index] != before.pixels[index]
    }
}
