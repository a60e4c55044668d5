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
package struct Animation: Equatable, Sendable {
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
    package let frames: [Frame]

    /// - Precondition: there are 1 to 255 colours, at least one frame, and an index of a colour for each pixel.
    package init(size: PictureSize, palette: [Colour], frames: [Frame]) {
        precondition((1...Animation.mostColours).contains(palette.count), "an animation has 1 to 255 colours")
        precondition(!frames.isEmpty, "an animation has a frame")
        precondition(
            frames.allSatisfy { frame in
                frame.pixels.count == size.width * size.height && frame.pixels.allSatisfy { $0 < palette.count }
            }, "a frame has a colour for each pixel")
        self.size = size
        self.palette = palette
        self.frames = frames
    }

    /// What each frame changes: the whole picture first, and then what differs from the frame before.
    var changes: [FrameChange] {
        let first = FrameChange(all: frames[0], of: size)
        return [first] + frames.indices.dropFirst().map { FrameChange(frames[$0], after: frames[$0 - 1], of: size) }
    }

    /// The index that stands for a pixel that is as before.
    var asBefore: UInt8 { UInt8(palette.count) }
}
