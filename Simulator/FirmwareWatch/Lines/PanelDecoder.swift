import Watch

/// A line of the panel as it came over the panel line.
package struct PanelLine: Equatable {
    package var number: Int
    package var pixels: [UInt8]
}

/// Finds the lines of pixels in the bytes of the panel line: a mark, a number and 18 bytes each.
///
/// What is no line is passed over, up to the next mark with a number that a line has.
package struct PanelDecoder {
    private enum Progress {
        case between
        case marked
        case within(PanelLine)
    }

    private static var mark: UInt8 { 0xA5 }

    private var progress = Progress.between
    /// Bytes that came since the start, modulo 2^32, as the board counts those that it sent.
    private(set) var received: UInt32 = 0
    /// Bytes that belonged to no line.
    package private(set) var skipped = 0

    package init() {}

    /// Takes the next byte. Returns the line that it completes.
    package mutating func take(_ byte: UInt8) -> PanelLine? {
        received &+= 1
        switch progress {
        case .between:
            if byte == PanelDecoder.mark { progress = .marked } else { skipped += 1 }
        case .marked where Int(byte) < PanelGeometry.height:
            progress = .within(PanelLine(number: Int(byte), pixels: []))
        case .marked:
            skipped += 2
            progress = .between
        case .within(var line):
            line.pixels.append(byte)
            if line.pixels.count == PanelGeometry.bytesPerLine {
                progress = .between
                return line
            }
            progress = .within(line)
        }
        return nil
    }
}
