/// A colour of 24 bits, 8 for each of its parts.
package struct Colour: Hashable, Sendable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }
}

/// A picture of few colours that changes.
package struct Animation {
    /// What is shown, and for how long.
    package struct Frame: Equatable, Sendable {
        /// An index into the palette for each pixel, line after line from the top.
        package let pixels: [UInt8]
        /// How long it is shown, in hundredths of a second: 1 to 65,535.
        package let hundredths: Int

        package init(pixels: [UInt8], hundredths: Int) {
            self.pixels = pixels
            self.hundredths = min(max(hundredths, 1), 65_535)
        }
    }

    /// The most colours: one more index stands for "as before" in a file.
    package static let mostColours = 255

    package let size: PictureSize
    package let palette: [Colour]
    /// Each is drawn when it is asked for, so that a long animation takes the memory of two.
    package let frames: LazyMapCollection<Range<Int>, Frame>

    /// - Parameters:
    ///   - count: the number of frames.
    ///   - draw: returns a frame by its number, from 0.
    /// - Precondition: there are 1 to 255 colours, at least one frame, and an index of a colour for each pixel.
    package init(size: PictureSize, palette: [Colour], count: Int, draw: @escaping (Int) -> Frame) {
        precondition((1...Animation.mostColours).contains(palette.count), "an animation has 1 to 255 colours")
        precondition(count > 0, "an animation has a frame")
        self.size = size
        self.palette = palette
        frames = (0..<count).lazy.map(draw)
    }

    /// An animation of frames that are there already, under the same conditions.
    package init(size: PictureSize, palette: [Colour], frames: [Frame]) {
        self.init(size: size, palette: palette, count: frames.count) { frames[$0] }
    }

    /// Calls `body` with what each frame changes: the whole picture first, and then what differs from the frame before.
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

    /// The index that stands for a pixel that is as before.
    var asBefore: UInt8 { UInt8(palette.count) }
}
