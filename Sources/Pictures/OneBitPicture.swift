/// A picture of black and white pixels.
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

    /// A grey picture in black and white.
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
