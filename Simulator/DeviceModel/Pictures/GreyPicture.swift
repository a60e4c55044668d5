import HostSystem

/// A picture of one byte a pixel, 0 for black and 255 for white, line after line from the top.
package struct GreyPicture: Equatable, Sendable {
    /// The most pixels of a picture that can be read: 67,108,864, which bound the memory to 64 MiB.
    package static let mostPixels = 64 << 20

    package let size: PictureSize
    package let pixels: [UInt8]

    /// - Precondition: there is a byte for each pixel.
    package init(size: PictureSize, pixels: [UInt8]) {
        precondition(pixels.count == size.width * size.height, "a picture has a byte for each pixel")
        self.size = size
        self.pixels = pixels
    }
}

/// A width and a height in pixels, both 1 or more.
package struct PictureSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    /// A size. A number below 1 counts as 1.
    package init(width: Int, height: Int) {
        self.width = max(width, 1)
        self.height = max(height, 1)
    }
}

extension [UInt8] {
    /// Repeats each pixel of a picture across and down.
    ///
    /// - Parameters:
    ///   - width: the pixels of a line, at least 1. A pixel is a byte.
    ///   - scale: the repetitions, at least 1.
    func enlarged(width: Int, scale: Int) -> [UInt8] {
        guard scale > 1 else { return self }
        var enlarged: [UInt8] = []
        enlarged.reserveCapacity(count * scale * scale)
        for start in stride(from: 0, to: count, by: width) {
            let line = self[start..<start + width].flatMap { repeatElement($0, count: scale) }
            for _ in 0..<scale { enlarged += line }
        }
        return enlarged
    }
}

package enum PictureError: Error, Equatable, CustomStringConvertible {
    case notPNG
    /// The file begins as a PNG file, but libpng cannot read it for this reason.
    case damaged(String)
    /// Its samples have 16 bits.
    case tooDeep
    /// The picture has this size, with more pixels than `most`.
    case tooLarge(PictureSize, most: Int)
    case notWritten(String)

    package var description: String {
        switch self {
        case .notPNG: "not a PNG picture: convert it to PNG first"
        case .damaged(let reason): "damaged, or not all of it is there (\(SanitizedLine(reason))): save it again"
        case .tooDeep: "samples of 16 bits: save it with 8 bits"
        case .tooLarge(let size, let most):
            "\(size.width) x \(size.height) pixels, and at most \(most) can be read: make it smaller first"
        case .notWritten(let reason): "the picture could not be written: \(reason)"
        }
    }
}
