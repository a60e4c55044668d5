/// The reference board's panel, similar to Sharp's LS013B7DH05: 144 x 168 pixels of one bit. It has no backlight.
///
/// Sources: Sharp, "Programming Sharp's Memory LCDs" (application note), and the LS013B7DH05's datasheet, which allows at most
/// 1.1 MHz on the bus. The model always takes the highest bit of a byte first, because the SPI controller's bit order is not
/// modelled. The bit V of the mode, which inverts the common electrode, has no effect.
package struct MemoryPanel: Sendable {
    package static let width = 144, height = 168
    private static let lineBytes = 18
    /// The minimum number of cycles for a byte: eight bits at 1.1 MHz.
    private static let cyclesPerByte: UInt64 = 465

    private enum Transfer {
        case unselected
        /// The next byte is the mode: bit 7 writes lines, and bit 5 without bit 7 clears the panel.
        case mode
        /// The next byte is the address of a line. If there is no such line, the rest of the transfer is ignored.
        case address
        case pixels(line: Int, [UInt8])
        /// All pixels of the line have arrived. The next byte has no content: it gives the panel time to store the line.
        /// `firstPixel` is the cycle at which the first byte of pixels had passed the bus.
        case trailer(line: Int, [UInt8], firstPixel: UInt64)
        case ignored
    }

    /// One bit for each pixel, line by line; 1 is white. The highest bit of a byte is its leftmost pixel.
    private var memory = [UInt8](repeating: 0xFF, count: lineBytes * height)
    private var transfer = Transfer.unselected
    private var firstPixel: UInt64 = 0
    private var writes: [PanelWrite] = []
    package private(set) var firstMistake: PanelMistake?

    package mutating func takeWrites() -> [PanelWrite] {
        defer { writes = [] }
        return writes
    }

    package func pixels(ofLine line: Int) -> [UInt8] {
        Array(memory[line * MemoryPanel.lineBytes..<(line + 1) * MemoryPanel.lineBytes])
    }

    mutating func select(_ isSelected: Bool) {
        switch (transfer, isSelected) {
        case (.unselected, true): transfer = .mode
        case (_, false): transfer = .unselected
        case (.mode, true), (.address, true), (.pixels, true), (.trailer, true), (.ignored, true): break
        }
    }

    mutating func take(_ bytes: [UInt8], at cycle: UInt64, cyclesPerByte: UInt64) {
        if cyclesPerByte < MemoryPanel.cyclesPerByte, firstMistake == nil { firstMistake = .fastBus(at: cycle) }
        for (position, byte) in bytes.enumerated() {
            take(byte, passed: cycle + UInt64(position + 1) * cyclesPerByte)
        }
    }

    private mutating func take(_ byte: UInt8, passed: UInt64) {
        switch transfer {
        case .unselected, .ignored: break
        case .mode:
            transfer = byte & 0x80 != 0 ? .address : .ignored
            if byte & 0xA0 == 0x20 { clear(at: passed) }
        case .address:
            let line = (0..<8).reduce(0) { $0 | Int(byte >> (7 - $1) & 1) << $1 }
            transfer = (1...MemoryPanel.height).contains(line) ? .pixels(line: line - 1, []) : .ignored
        case .pixels(let line, var pixels):
            transfer = .ignored
            if pixels.isEmpty { firstPixel = passed }
            pixels.append(byte)
            transfer =
                pixels.count == MemoryPanel.lineBytes
                ? .trailer(line: line, pixels, firstPixel: firstPixel) : .pixels(line: line, pixels)
        case .trailer(let line, let pixels, let first):
            keep(pixels, line: line, first: first, last: passed)
            transfer = .address
        }
    }

    private mutating func keep(_ pixels: [UInt8], line: Int, first: UInt64, last: UInt64) {
        let area = PanelArea(columns: 0...MemoryPanel.width - 1, rows: line...line)
        let range = line * MemoryPanel.lineBytes..<(line + 1) * MemoryPanel.lineBytes
        var write = PanelWrite(window: area, first: first, last: last, pixels: MemoryPanel.width)
        let changed = (0..<MemoryPanel.lineBytes).filter { memory[range.lowerBound + $0] != pixels[$0] }
        if let left = changed.first, let right = changed.last {
            let columns = left * 8...right * 8 + 7
            write.change = .init(
                area: PanelArea(columns: columns, rows: line...line), first: last, last: last,
                digest: PanelWrite.digest(pixels))
            memory.replaceSubrange(range, with: pixels)
        }
        writes.append(write)
    }

    private mutating func clear(at cycle: UInt64) {
        let all = PanelArea(columns: 0...MemoryPanel.width - 1, rows: 0...MemoryPanel.height - 1)
        var write = PanelWrite(
            window: all, first: cycle, last: cycle, pixels: MemoryPanel.width * MemoryPanel.height)
        if memory.contains(where: { $0 != 0xFF }) {
            write.change = .init(area: all, first: cycle, last: cycle)
            memory = [UInt8](repeating: 0xFF, count: memory.count)
        }
        writes.append(write)
    }

    /// - Parameter shows: the level of the panel's pin DISP. If it is low, all pixels are white.
    func picture(shows: Bool) -> VisiblePicture {
        var pixels = [UInt16](repeating: 0xFFFF, count: MemoryPanel.width * MemoryPanel.height)
        for index in pixels.indices where shows && memory[index / 8] << (index % 8) & 0x80 == 0 { pixels[index] = 0 }
        return VisiblePicture(width: MemoryPanel.width, height: MemoryPanel.height, pixels: pixels, light: 7)
    }
}
