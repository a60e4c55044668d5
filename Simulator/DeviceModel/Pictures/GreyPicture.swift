import HostSystem

/// A grey picture with one byte for each pixel, line by line from the top: 0 is black and 255 is white.
package struct GreyPicture: Equatable, Sendable {
    /// The maximum number of pixels in a PNG file that is read in grey. Their bytes take 64 MiB. For a file that is read in
    /// colour, the maximum is a third of this number.
    package static let mostPixels = 64 << 20

    package let size: PictureSize
    package let pixels: [UInt8]

    package init(size: PictureSize, pixels: [UInt8]) {
        precondition(pixels.count == size.width * size.height, "a picture has a byte for each pixel")
        self.size = size
        self.pixels = pixels
    }
}

/// A size in pixels. Both sides have 1 pixel or more.
package struct PictureSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = max(width, 1)
        self.height = max(height, 1)
    }
}

extension [UInt8] {
    /// Enlarges a picture that has one byte for each pixel. `width` is the number of pixels in a line.
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
    case damaged(String)
    /// The file has 16 bits for each sample.
    case tooDeep
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
