/// A picture in a file that a phone has sent to the watch. Its format is netpbm's PBM, "P4", with one bit for each pixel.
public struct FilePicture: Equatable, Sendable, BitwiseCopyable {
    /// Pixels in a line, from 1 to 1,024.
    public let width: Int
    /// The number of lines, at least 1.
    public let height: Int
    let generation: UInt32
    let offset: Int

    /// The maximum length of the header at the start of the file, in bytes.
    static var longestHeader: Int { 128 }

    /// The number of bytes in a line of the file. Each line begins with a new byte. The highest bit of a byte is its leftmost
    /// pixel, and 1 is black.
    var bytesPerLine: Int { (width + 7) / 8 }

    /// Reads the header of a picture. Nil if the header is not valid, or if the file has fewer pixels than the header says.
    /// `length` is the file's length in bytes. `header` has the first `longestHeader` bytes of the file, or all of a shorter
    /// file.
    init?(generation: UInt32, length: Int, header: Span<UInt8>) {
        guard header.count > 2, header[0] == UInt8(ascii: "P"), header[1] == UInt8(ascii: "4") else { return nil }
        var offset = 2
        guard let width = FilePicture.number(in: header, &offset), let height = FilePicture.number(in: header, &offset),
            (1...1_024).contains(width), height >= 1, offset < header.count, FilePicture.isSpace(header[offset])
        else { return nil }
        self.width = width
        self.height = height
        self.generation = generation
        // One byte of white space separates the height from the pixels.
        self.offset = offset + 1
        guard self.offset + bytesPerLine * height <= length else { return nil }
    }

    /// Skips white space and comments at `offset`, reads the number after them, and moves `offset` past it. Nil if no white
    /// space or no number is there, or if the number is above 65,535.
    private static func number(in header: Span<UInt8>, _ offset: inout Int) -> Int? {
        let start = offset
        while offset < header.count, isSpace(header[offset]) || header[offset] == UInt8(ascii: "#") {
            if header[offset] == UInt8(ascii: "#") {
                while offset < header.count, header[offset] != UInt8(ascii: "\n") { offset += 1 }
            } else {
                offset += 1
            }
        }
        guard offset > start else { return nil }
        var number = 0
        let first = offset
        while offset < header.count, header[offset] >= UInt8(ascii: "0"), header[offset] <= UInt8(ascii: "9") {
            number = number * 10 + Int(header[offset] - UInt8(ascii: "0"))
            guard number <= 65_535 else { return nil }
            offset += 1
        }
        return offset > first ? number : nil
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte >= 0x09 && byte <= 0x0D }
}

extension HandlerSheet {
    private var room: Range<Int> {
        RowGeometry
            .titleBarHeight..<(buttonCount == 0 ? PanelGeometry.height : HandlerSheet.buttonTop - HandlerSheet.margin)
    }

    func lines(of picture: FilePicture) -> Range<Int> {
        let hidden = max(0, picture.height - room.count)
        return hidden / 2..<picture.height - (hidden + 1) / 2
    }

    func draw(_ bytes: Span<UInt8>, of picture: FilePicture, line: Int, into framebuffer: inout Framebuffer) {
        let shown = lines(of: picture)
        let y = room.lowerBound + (room.count - shown.count) / 2 + line - shown.lowerBound
        // Negative if the picture is wider than the panel.
        let left = (PanelGeometry.width - picture.width) / 2
        for column in 0..<PanelGeometry.bytesPerLine {
            var pixels: UInt8 = 0
            for bit in 0..<8 {
                let x = column * 8 + bit - left
                guard x >= 0, x < picture.width else { continue }
                let isBlack = bytes[x / 8] & UInt8(0x80) &>> UInt8(truncatingIfNeeded: x & 7) != 0
                if !isBlack { pixels |= UInt8(0x80) &>> UInt8(truncatingIfNeeded: bit) }
            }
            framebuffer.setByte(pixels, column: column, line: y)
        }
    }
}
