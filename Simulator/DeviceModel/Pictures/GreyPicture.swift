import Foundation
import HostSystem

/// A picture of one byte a pixel, 0 for black and 255 for white, line after line from the top.
package struct GreyPicture: Equatable, Sendable {
    /// The most pixels of a picture that is read, which bounds its memory: 67,108,864, of 64 MiB. Of one with samples of 16
    /// bits a quarter.
    package static let mostPixels = 64 << 20

    package let size: PictureSize
    package let pixels: [UInt8]

    /// - Precondition: there is a byte for each pixel.
    package init(size: PictureSize, pixels: [UInt8]) {
        precondition(pixels.count == size.width * size.height, "a picture has a byte for each pixel")
        self.size = size
        self.pixels = pixels
    }

    /// The picture scaled down to fit within `limit`, with its shape kept. Each pixel is the mean of the area that it covers. One that
    /// fits already stays as it is.
    package func fitted(within limit: PictureSize) -> GreyPicture {
        let new = size.fitted(within: limit)
        guard new != size else { return self }
        var sums = [UInt64](repeating: 0, count: new.width)
        var scaled: [UInt8] = []
        scaled.reserveCapacity(new.width * new.height)
        // Both sides are counted in parts so small that pixels of the old and of the new size are whole numbers of them.
        let area = UInt64(size.width) * UInt64(size.height)
        for y in 0..<new.height {
            for x in sums.indices { sums[x] = 0 }
            for (line, share) in GreyPicture.covered(by: y, old: size.height, new: new.height) {
                addLine(line, weighing: share, to: &sums)
            }
            for sum in sums { scaled.append(UInt8((sum + area / 2) / area)) }
        }
        return GreyPicture(size: new, pixels: scaled)
    }

    private func addLine(_ line: Int, weighing share: UInt64, to sums: inout [UInt64]) {
        let start = line * size.width
        for x in sums.indices {
            for (column, width) in GreyPicture.covered(by: x, old: size.width, new: sums.count) {
                sums[x] += UInt64(pixels[start + column]) * width * share
            }
        }
    }

    /// The old pixels that a new one covers on one axis, each with its share of it; the shares add up to `old`.
    private static func covered(by index: Int, old: Int, new: Int) -> LazyMapSequence<Range<Int>, (Int, UInt64)> {
        let (start, end) = (index * old, (index + 1) * old)
        return (start / new..<(end + new - 1) / new).lazy.map { pixel in
            (pixel, UInt64(min(end, (pixel + 1) * new) - max(start, pixel * new)))
        }
    }
}

package struct OneBitPicture: Equatable, Sendable {
    /// How grey becomes black and white.
    package enum Tones: Hashable, Sendable {
        /// By a pattern as dense as the grey is dark: Floyd and Steinberg's, which hands what a pixel is off on to its neighbours.
        case dithered
        /// White from this brightness on, 1 to 255: for drawings and text.
        case threshold(UInt8)
    }

    package let size: PictureSize
    /// Line after line from the top, each beginning with a byte of its own: the leftmost pixel in the highest bit, a set bit black, and
    /// what is behind the last pixel of a line clear.
    package let bytes: [UInt8]

    package init(_ picture: GreyPicture, tones: Tones) {
        size = picture.size
        switch tones {
        case .dithered: bytes = OneBitPicture.packed(OneBitPicture.dithered(picture), size)
        case .threshold(let level): bytes = OneBitPicture.packed(picture.pixels.map { $0 < level }, size)
        }
    }

    /// The picture as a file: "raw" PBM, of the magic number P4, as pbm(5) of netpbm defines it (netpbm.sourceforge.net/doc/pbm.html).
    package var portableBitmap: [UInt8] {
        Array("P4\n\(size.width) \(size.height)\n".utf8) + bytes
    }

    /// Whether each pixel is black. R. W. Floyd and L. Steinberg, "An adaptive algorithm for spatial greyscale", 1976: of what a pixel
    /// is too bright or too dark, 7/16 goes to the next one, and 3/16, 5/16 and 1/16 to those below.
    private static func dithered(_ picture: GreyPicture) -> [Bool] {
        let (width, height) = (picture.size.width, picture.size.height)
        var isBlack = [Bool](repeating: false, count: width * height)
        // In sixteenths, with a place on either side of the line for what leaves the picture.
        var (line, below) = ([Int](repeating: 0, count: width + 2), [Int](repeating: 0, count: width + 2))
        for y in 0..<height {
            for x in 0..<width {
                let wanted = Int(picture.pixels[y * width + x]) * 16 + line[x + 1]
                let isWhite = wanted >= 128 * 16
                isBlack[y * width + x] = !isWhite
                let error = (wanted - (isWhite ? 255 * 16 : 0)) / 16
                line[x + 2] += error * 7
                below[x] += error * 3
                below[x + 1] += error * 5
                below[x + 2] += error
            }
            (line, below) = (below, [Int](repeating: 0, count: width + 2))
        }
        return isBlack
    }

    private static func packed(_ isBlack: [Bool], _ size: PictureSize) -> [UInt8] {
        let lineBytes = (size.width + 7) / 8
        var bytes = [UInt8](repeating: 0, count: lineBytes * size.height)
        for (index, pixel) in isBlack.enumerated() where pixel {
            let (y, x) = index.quotientAndRemainder(dividingBy: size.width)
            bytes[y * lineBytes + x / 8] |= 0x80 >> UInt8(x % 8)
        }
        return bytes
    }
}

/// A width and a height in pixels, both 1 or more.
package struct PictureSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    /// A size; a number below 1 is taken as 1.
    package init(width: Int, height: Int) {
        self.width = max(width, 1)
        self.height = max(height, 1)
    }

    /// The largest size of the same shape that fits within `limit`; a size that fits already stays, so nothing is enlarged.
    func fitted(within limit: PictureSize) -> PictureSize {
        if width <= limit.width && height <= limit.height { return self }
        // Whichever side is further beyond its limit takes it; the other follows, rounded.
        if width * limit.height >= height * limit.width {
            return PictureSize(width: limit.width, height: (height * limit.width + width / 2) / width)
        }
        return PictureSize(width: (width * limit.height + height / 2) / height, height: limit.height)
    }
}

/// Enlarges pictures: each pixel becomes several.
package enum Enlargement {
    /// Repeats each pixel across and down.
    ///
    /// - Parameters:
    ///   - pixels: a byte a pixel, line after line from the top.
    ///   - width: the pixels of a line, at least 1.
    ///   - scale: how often, at least 1.
    package static func pixels(_ pixels: [UInt8], width: Int, scale: Int) -> [UInt8] {
        guard scale > 1 else { return pixels }
        var enlarged: [UInt8] = []
        enlarged.reserveCapacity(pixels.count * scale * scale)
        for start in stride(from: 0, to: pixels.count, by: width) {
            let line = pixels[start..<start + width].flatMap { repeatElement($0, count: scale) }
            for _ in 0..<scale { enlarged += line }
        }
        return enlarged
    }
}

/// Samples of 16 bits as libpng gives them: for each pixel its brightness, linear and multiplied by its opacity, and its opacity.
enum DeepSamples {
    static let bytesPerPixel = 4

    /// The byte for each linear brightness: libpng has made that with an exponent of 2.2 (PNG_GAMMA_sRGB_INVERSE in its pngpriv.h).
    private static let encoded: [UInt8] = (0...65_535).map {
        UInt8((pow(Double($0) / 65_535, 1 / 2.2) * 255).rounded())
    }

    /// A byte a pixel, as on white paper.
    static func onWhite(_ samples: [UInt16]) -> [UInt8] {
        stride(from: 0, to: samples.count, by: 2).map { index in
            let (brightness, opacity) = (Int(samples[index]), Int(samples[index + 1]))
            return encoded[min(brightness + 65_535 - opacity, 65_535)]
        }
    }
}

package enum PictureError: Error, Equatable, CustomStringConvertible {
    case notPNG
    /// It begins as a PNG file, and libpng cannot read it, for this reason.
    case damaged(String)
    case tooLong(limit: Int)
    /// It has this size, of more pixels than `most`.
    case tooLarge(PictureSize, most: Int)
    case notWritten(String)

    package var description: String {
        switch self {
        case .notPNG: "not a PNG picture: convert it to PNG first"
        case .damaged(let reason): "damaged, or not all of it is there (\(SanitizedLine(reason))): save it again"
        case .tooLong(let limit): "longer than \(limit >> 20) MiB: save a smaller picture"
        case .tooLarge(let size, let most):
            "\(size.width) x \(size.height) pixels, and at most \(most) can be read: make it smaller first"
        case .notWritten(let reason): "the picture could not be written: \(reason)"
        }
    }
}
