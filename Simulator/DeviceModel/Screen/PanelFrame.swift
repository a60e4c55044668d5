import HostSystem
import Watch

/// A picture on the panel: 144 x 168 pixels of one bit. A set bit is lit (white).
public struct PanelFrame: Sendable, Equatable {
    /// 3,024 bytes, line by line from the top. The leftmost pixel of a line is the highest bit of its first byte.
    public private(set) var bytes: [UInt8]

    package init() {
        bytes = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)
    }

    /// - Throws: `.malformedImage` if there are not 3,024 bytes.
    package init(bytes: [UInt8]) throws(DeviceModelError) {
        guard bytes.count == PanelGeometry.bytesPerFrame else {
            throw .malformedImage("\(CountText(bytes.count, "byte")) instead of \(PanelGeometry.bytesPerFrame)")
        }
        self.bytes = bytes
    }

    /// Whether the pixel is lit. A pixel outside the panel is dark.
    public func isLit(x: Int, y: Int) -> Bool {
        guard (0..<PanelGeometry.width).contains(x), (0..<PanelGeometry.height).contains(y) else { return false }
        return bytes[y * PanelGeometry.bytesPerLine + x / 8] & (0x80 >> UInt8(x % 8)) != 0
    }

    /// Returns the 18 bytes of a line. `line` is 0 at the top and at most 167. Any other value traps.
    public func line(_ line: Int) -> ArraySlice<UInt8> {
        bytes[line * PanelGeometry.bytesPerLine..<(line + 1) * PanelGeometry.bytesPerLine]
    }

    /// Replaces a line. Like a panel, does nothing if `line` is outside 0 to 167, or if `pixels` does not have 18
    /// bytes.
    package mutating func setLine(_ line: Int, to pixels: Span<UInt8>) {
        guard (0..<PanelGeometry.height).contains(line), pixels.count == PanelGeometry.bytesPerLine else { return }
        let start = line * PanelGeometry.bytesPerLine
        for index in pixels.indices { bytes[start + index] = pixels[index] }
    }
}

extension PanelFrame {
    /// Encodes the picture as a one-bit PNG file. Lit pixels are white, and dark pixels black.
    ///
    /// - Parameter scale: each pixel of the panel becomes a square of `scale` x `scale` pixels. A value below 1 counts as 1,
    ///   and a value above 16 as 16.
    /// - Throws: `.encodingFailed` with libpng's message.
    public func portableNetworkGraphics(scale: Int = 1) throws(DeviceModelError) -> [UInt8] {
        let scale = min(max(scale, 1), 16)
        let size = PictureSize(width: PanelGeometry.width * scale, height: PanelGeometry.height * scale)
        let enlarged = pixels.enlarged(width: PanelGeometry.width, scale: scale)
        return try DeviceModelError.encoding { () throws(PictureError) in
            try PortableNetworkGraphics.file(colours: Colour.blackAndWhite, pixels: enlarged, of: size)
        }
    }

    /// Reads a PNG file of the panel's size. A pixel is lit if it is brighter than half of white.
    ///
    /// - Throws: `.malformedImage` if the file cannot be decoded or has another size.
    package init(portableNetworkGraphics file: [UInt8]) throws(DeviceModelError) {
        let picture: GreyPicture
        do throws(PictureError) {
            picture = try PortableNetworkGraphics.picture(in: file)
        } catch {
            throw .malformedImage(error.description)
        }
        guard picture.size == PictureSize(width: PanelGeometry.width, height: PanelGeometry.height) else {
            throw .malformedImage(
                "\(picture.size.width) x \(picture.size.height) pixels instead of "
                    + "\(PanelGeometry.width) x \(PanelGeometry.height)")
        }
        var bytes = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)
        for (place, brightness) in picture.pixels.enumerated() where brightness > 127 {
            bytes[place / 8] |= 0x80 >> UInt8(place % 8)
        }
        try self.init(bytes: bytes)
    }

    /// One byte for each pixel, 1 if it is lit.
    var pixels: [UInt8] {
        (0..<PanelGeometry.height).flatMap { y in
            (0..<PanelGeometry.width).map { x in isLit(x: x, y: y) ? 1 : 0 }
        }
    }
}

struct FrameDifference {
    private let expected: PanelFrame
    private let actual: PanelFrame
    let count: Int
    let columns: ClosedRange<Int>
    let lines: ClosedRange<Int>

    /// Nil if the pictures are equal.
    init?(from expected: PanelFrame, to actual: PanelFrame) {
        guard expected != actual else { return nil }
        var (xs, ys): ([Int], [Int]) = ([], [])
        for y in 0..<PanelGeometry.height where expected.line(y) != actual.line(y) {
            for x in 0..<PanelGeometry.width where expected.isLit(x: x, y: y) != actual.isLit(x: x, y: y) {
                xs.append(x)
                ys.append(y)
            }
        }
        guard let left = xs.min(), let right = xs.max(), let top = ys.first, let bottom = ys.last else { return nil }
        (self.expected, self.actual) = (expected, actual)
        count = xs.count
        columns = left...right
        lines = top...bottom
    }

    /// Encodes the difference as a PNG file, with four times the panel's width and height. Pixels that are lit in both
    /// pictures are grey. Pixels that are lit only in the expected picture are red, and those lit only in the actual
    /// one are green.
    func portableNetworkGraphics() throws(DeviceModelError) -> [UInt8] {
        let scale = 4
        let size = PictureSize(width: PanelGeometry.width * scale, height: PanelGeometry.height * scale)
        let agreements = (0..<PanelGeometry.height).flatMap { y in
            (0..<PanelGeometry.width).map { x in agreement(x: x, y: y).rawValue }
        }
        let pixels = agreements.enlarged(width: PanelGeometry.width, scale: scale)
        let palette = Agreement.allCases.map(\.colour)
        return try DeviceModelError.encoding { () throws(PictureError) in
            try PortableNetworkGraphics.file(colours: palette, pixels: pixels, of: size)
        }
    }

    private enum Agreement: UInt8, CaseIterable {
        case dark, lit, missing, extra

        var colour: Colour {
            switch self {
            case .dark: Colour(red: 0, green: 0, blue: 0)
            case .lit: Colour(red: 96, green: 96, blue: 96)
            case .missing: Colour(red: 255, green: 64, blue: 64)
            case .extra: Colour(red: 64, green: 255, blue: 64)
            }
        }
    }

    private func agreement(x: Int, y: Int) -> Agreement {
        switch (expected.isLit(x: x, y: y), actual.isLit(x: x, y: y)) {
        case (false, false): .dark
        case (true, true): .lit
        case (true, false): .missing
        case (false, true): .extra
        }
    }
}

extension FrameDifference: CustomStringConvertible {
    var description: String {
        "\(CountText(count, "pixel")) that \(count == 1 ? "differs" : "differ"), "
            + "x \(columns.lowerBound) to \(columns.upperBound), y \(lines.lowerBound) to \(lines.upperBound)"
    }
}

extension DeviceModelError {
    static func encoding(_ body: () throws(PictureError) -> [UInt8]) throws(DeviceModelError) -> [UInt8] {
        do throws(PictureError) { return try body() } catch { throw .encodingFailed(error.description) }
    }
}
