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
