/// The ST7789V: a controller with a memory of 240 x 320 pixels, and a panel that shows 240 x 240 of them.
///
/// Source: Sitronix, ST7789V datasheet v1.6, chapters 7.4, 8 and 9. The controller's data output is not connected, so firmware
/// cannot read from it. The model stores a colour of 16 bits for each pixel. Commands act at once, although the real chip
/// defers some to its next frame. At power-on, the model's memory is zero.
package struct ColourPanel: Sendable {
    package static let width = 240, height = 240
    private static let rows = 320

    private enum Power: Equatable {
        /// The reset line is low. When the line is high again, the firmware must wait this number of cycles before it wakes
        /// the panel.
        case held(recovery: UInt64)
        case asleep
        /// The panel woke at this cycle, and began to refresh its lines.
        case awake(since: UInt64)
    }

    private enum Command {
        case none
        case parameters(UInt8, value: UInt64, count: Int)
        case pixels(Cursor)
    }

    /// Where the next pixel goes, and the bits of that pixel that have arrived.
    private struct Cursor {
        var column: Int
        var row: Int
        var pending: UInt32 = 0
        var bits = 0
        var format: PixelFormat
        var isLogged = false
    }

    /// The format of pixels on the bus: COLMOD (9.1.32).
    private enum PixelFormat {
        case bits12, bits16, bits18

        var bits: Int {
            switch self {
            case .bits12: 12
            case .bits16: 16
            case .bits18: 24
            }
        }

        func colour(_ raw: UInt32) -> UInt16 {
            switch self {
            case .bits12:
                let (red, green, blue) = (raw >> 8 & 15, raw >> 4 & 15, raw & 15)
                return UInt16((red << 1 | red >> 3) << 11 | (green << 2 | green >> 2) << 5 | blue << 1 | blue >> 3)
            case .bits16: return UInt16(truncatingIfNeeded: raw)
            case .bits18: return UInt16(raw >> 19 & 31) << 11 | UInt16(raw >> 10 & 63) << 5 | UInt16(raw >> 3 & 31)
            }
        }
    }

    private enum Mode: Equatable {
        case normal
        /// PTLON (9.1.13): the panel shows only the partial area. The command PTLAR (9.1.24) sets this area, which may wrap
        /// around from line 319 to line 0.
        case partial
        /// VSCSAD (9.1.29): the first scrolling line of the panel shows this line of memory.
        case scrolled(to: Int)
    }

    /// The registers that every reset sets to default values (chapter 9). Both the reset line and a command reset the panel.
    private struct Registers {
        var columns = 0...239
        var lines = 0...319
        var mode = Mode.normal
        var partial = (first: 0, last: 319)
        /// VSCRDEF (9.1.25): the number of fixed lines at the top, and the number of scrolling lines below them.
        var fixed = 0
        var scrolling = 320
        var isOn = false
        var isInverted = false
        /// RTNA of FRCTRL2 (9.2.16), which sets how long the panel takes to refresh a line. `scanOut` has the formula.
        var lineLength: UInt64 = 15

        /// - Parameter isExchanged: whether columns and lines are exchanged (MV of MADCTL). A reset by command keeps this bit.
        init(isExchanged: Bool = false) {
            if isExchanged { (columns, lines) = (0...319, 0...239) }
        }
    }

    private var memory = [UInt16](repeating: 0, count: width * rows)
    private var power = Power.asleep

    var isAwake: Bool { if case .awake = power { true } else { false } }

    private var command = Command.none
    private var registers = Registers()
    // A reset by command does not change these (9.1.2).
    private var format = PixelFormat.bits18
    private var orientation: UInt8 = 0
    /// The earliest cycles that the datasheet allows: `commands` for all commands, and `sleep` for sleep-in and sleep-out.
    private var ready: (commands: UInt64, sleep: UInt64) = (0, 0)
    private var writes: [PanelWrite] = []
    package private(set) var firstMistake: PanelMistake?

    /// Returns the writes since the last call. Splits a write that is still under way: the next call returns the rest of
    /// that write as a separate write.
    package mutating func takeWrites() -> [PanelWrite] {
        defer { writes = [] }
        if case .pixels(var cursor) = command {
            cursor.isLogged = false
            command = .pixels(cursor)
        }
        return writes
    }

    // MARK: Bus

    mutating func setReset(low: Bool, at cycle: UInt64) {
        switch (low, power) {
        case (true, .asleep), (true, .awake):
            // The reset cancel time (7.4.5).
            power = .held(recovery: .milliseconds(isAwake ? 120 : 5))
            (registers, format, orientation, command) = (Registers(), .bits18, 0, .none)
        case (false, .held(let recovery)):
            (power, ready) = (.asleep, (cycle + .milliseconds(5), cycle + recovery))
        case (true, .held), (false, .asleep), (false, .awake): break
        }
    }

    /// Handles bytes that the firmware sends to the panel. The first byte begins at `cycle`.
    ///
    /// - Parameter isData: whether the line D/C is high. It is low for commands, and high for their parameters and for pixels.
    mutating func take(_ bytes: [UInt8], isData: Bool, at cycle: UInt64, cyclesPerByte: UInt64) {
        if case .held = power { return }
        guard isData else {
            for (position, byte) in bytes.enumerated() {
                begin(byte, at: cycle + UInt64(position + 1) * cyclesPerByte)
            }
            return
        }
        switch command {
        case .none: break
        case .parameters(let code, var value, var count):
            for byte in bytes where count < 8 {
                (value, count) = (value << 8 | UInt64(byte), count + 1)
                set(code, value, count)
            }
            command = .parameters(code, value: value, count: count)
        case .pixels(let cursor):
            command = .none
            command = .pixels(write(bytes, from: cursor, at: cycle, cyclesPerByte: cyclesPerByte))
        }
    }

    /// Handles the code of a command. The last bit of this code arrives at `cycle`.
    private mutating func begin(_ code: UInt8, at cycle: UInt64) {
        let earliest = code == 0x10 || code == 0x11 ? max(ready.commands, ready.sleep) : ready.commands
        if cycle < earliest, firstMistake == nil {
            firstMistake = .earlyCommand(code, at: cycle, earliest: earliest)
        }
        var continued: Cursor?
        if case .pixels(let cursor) = command { continued = cursor }
        command = .parameters(code, value: 0, count: 0)
        switch code {
        case 0x01:  // SWRESET (9.1.2). An awake panel is assumed to need as long as a sleeping one.
            registers = Registers(isExchanged: orientation & 0x20 != 0)
            (power, ready) = (.asleep, (cycle + .milliseconds(5), cycle + .milliseconds(120)))
        case 0x10 where power != .asleep:  // SLPIN (9.1.11)
            (power, ready) = (.asleep, (cycle + .milliseconds(5), cycle + .milliseconds(5)))
        case 0x11 where power == .asleep:  // SLPOUT (9.1.12)
            (power, ready) = (.awake(since: cycle), (cycle + .milliseconds(5), cycle + .milliseconds(120)))
        case 0x12: registers.mode = .partial  // PTLON
        case 0x13: registers.mode = .normal  // NORON
        case 0x20: registers.isInverted = false  // INVOFF
        case 0x21: registers.isInverted = true  // INVON
        case 0x28: registers.isOn = false  // DISPOFF
        case 0x29: registers.isOn = true  // DISPON
        case 0x2C:  // RAMWR (9.1.22)
            let first = (registers.columns.lowerBound, registers.lines.lowerBound)
            command = .pixels(Cursor(column: first.0, row: first.1, format: format))
        case 0x3C:  // WRMEMC (9.1.33): continues where the last write ended, unless another command came between.
            if var cursor = continued {
                (cursor.isLogged, cursor.bits) = (false, 0)
                command = .pixels(cursor)
            }
        case _: break
        }
    }

    /// Handles a parameter byte of a command.
    ///
    /// - Parameters:
    ///   - value: the parameter bytes so far, in the order of their arrival. The newest byte is the lowest.
    ///   - count: the number of these bytes.
    private mutating func set(_ code: UInt8, _ value: UInt64, _ count: Int) {
        let (first, second) = (Int(value >> 16 & 0xFFFF), Int(value & 0xFFFF))
        switch (code, count) {
        // CASET and RASET (9.1.20, 9.1.21): the start must not be behind the end.
        case (0x2A, 4) where first <= second: registers.columns = first...second
        case (0x2B, 4) where first <= second: registers.lines = first...second
        case (0x30, 4): registers.partial = (first, second)
        case (0x33, 6): (registers.fixed, registers.scrolling) = (Int(value >> 32 & 0xFFFF), first)
        case (0x36, 1): orientation = UInt8(value)
        case (0x37, 2): registers.mode = .scrolled(to: second)
        case (0x3A, 1):
            switch value & 7 {
            case 3: format = .bits12
            case 5: format = .bits16
            case 6: format = .bits18
            case _: break
            }
        case (0xC6, 1): registers.lineLength = value & 31
        case _: break
        }
    }

    // MARK: Memory

    /// How addresses on the bus map to memory (MADCTL, 9.1.28). `origin` is the memory column and row of address (0, 0). From
    /// there, growing addresses go in the direction of `step`.
    private struct AddressMap {
        let origin: (x: Int, y: Int)
        let isExchanged: Bool
        let step: (x: Int, y: Int)
        let limit: (column: Int, row: Int)

        init(_ orientation: UInt8) {
            let (flipsY, flipsX) = (orientation & 0x80 != 0, orientation & 0x40 != 0)
            isExchanged = orientation & 0x20 != 0
            origin = (flipsX ? ColourPanel.width - 1 : 0, flipsY ? ColourPanel.rows - 1 : 0)
            step = (flipsX ? -1 : 1, flipsY ? -1 : 1)
            limit = isExchanged ? (ColourPanel.rows, ColourPanel.width) : (ColourPanel.width, ColourPanel.rows)
        }

        /// Returns the area of memory to which these columns and rows of addresses map; nil if none of them is in memory.
        func area(_ columns: ClosedRange<Int>, _ rows: ClosedRange<Int>) -> PanelArea? {
            guard columns.lowerBound < limit.column, rows.lowerBound < limit.row else { return nil }
            let across = columns.clamped(to: 0...limit.column - 1), down = rows.clamped(to: 0...limit.row - 1)
            let (horizontal, vertical) = isExchanged ? (down, across) : (across, down)
            func places(_ range: ClosedRange<Int>, _ origin: Int, _ step: Int) -> ClosedRange<Int> {
                let ends = (origin + step * range.lowerBound, origin + step * range.upperBound)
                return min(ends.0, ends.1)...max(ends.0, ends.1)
            }
            return PanelArea(
                columns: places(horizontal, origin.x, step.x), rows: places(vertical, origin.y, step.y))
        }
    }

    private mutating func write(
        _ bytes: [UInt8], from start: Cursor, at cycle: UInt64, cyclesPerByte: UInt64
    ) -> Cursor {
        var cursor = start
        let map = AddressMap(orientation)
        let (columns, rows, bits) = (registers.columns, registers.lines, start.format.bits)
        let origin = map.origin.x + map.origin.y * ColourPanel.width
        let across = map.isExchanged ? map.step.y * ColourPanel.width : map.step.x
        let down = map.isExchanged ? map.step.x : map.step.y * ColourPanel.width
        var (pixels, first, last) = (0, 0, 0)
        // The first and the last byte that changed a pixel, and the bounds of the changed pixels.
        var (firstChange, lastChange) = (-1, 0)
        var (left, right, top, bottom) = (Int.max, 0, Int.max, 0)
        for position in bytes.indices {
            cursor.pending = cursor.pending &<< 8 | UInt32(bytes[position])
            cursor.bits &+= 8
            while cursor.bits >= bits {
                cursor.bits &-= bits
                let colour = cursor.format.colour(cursor.pending &>> UInt32(truncatingIfNeeded: cursor.bits))
                if pixels == 0 { first = position }
                (pixels, last) = (pixels &+ 1, position)
                if cursor.column < map.limit.column, cursor.row < map.limit.row {
                    let index = origin &+ cursor.column &* across &+ cursor.row &* down
                    if memory[index] != colour {
                        memory[index] = colour
                        if firstChange < 0 { firstChange = position }
                        lastChange = position
                        (left, right) = (min(left, cursor.column), max(right, cursor.column))
                        (top, bottom) = (min(top, cursor.row), max(bottom, cursor.row))
                    }
                }
                cursor.column &+= 1
                guard cursor.column > columns.upperBound else { continue }
                cursor.column = columns.lowerBound
                cursor.row = cursor.row >= rows.upperBound ? rows.lowerBound : cursor.row &+ 1
            }
        }
        guard pixels > 0 else { return cursor }
        func passed(_ position: Int) -> UInt64 { cycle + UInt64(position + 1) * cyclesPerByte }
        var part = PanelWrite(
            window: map.area(columns, rows), first: passed(first), last: passed(last), pixels: pixels)
        if firstChange >= 0, let area = map.area(left...right, top...bottom) {
            part.change = PanelWrite.Change(
                area: area, first: passed(firstChange), last: passed(lastChange), digest: PanelWrite.digest(bytes))
        }
        if cursor.isLogged { writes[writes.count - 1].add(part) } else { writes.append(part) }
        cursor.isLogged = true
        return cursor
    }

    // MARK: Picture

    /// Returns the row of memory that a line of the panel shows; nil if that line is dark.
    private func row(at line: Int) -> Int? {
        switch registers.mode {
        case .normal: return line
        case .partial:
            let (first, last) = registers.partial
            let isShown = first <= last ? line >= first && line <= last : line >= first || line <= last
            return isShown ? line : nil
        case .scrolled(let start):
            let (fixed, count) = (registers.fixed, registers.scrolling)
            guard count > 0, fixed + count <= ColourPanel.rows, line >= fixed, line < fixed + count else { return line }
            let moved = (start - fixed + line - fixed) % count
            return fixed + (moved < 0 ? moved + count : moved)
        }
    }

    /// Returns what the panel shows. `light` is the level of its backlight, 0 to 7.
    ///
    /// The PineTime's panel shows the colours of memory when its inversion is on (INVON), and their complements otherwise.
    func picture(light: Int) -> VisiblePicture {
        var pixels = [UInt16](repeating: 0, count: ColourPanel.width * ColourPanel.height)
        if case .awake = power, registers.isOn {
            let complement: UInt16 = registers.isInverted ? 0 : 0xFFFF
            for line in 0..<ColourPanel.height {
                guard let row = row(at: line) else { continue }
                for column in 0..<ColourPanel.width {
                    let colour = memory[row * ColourPanel.width + column] ^ complement
                    pixels[line * ColourPanel.width + column] =
                        orientation & 8 == 0 ? colour : colour << 11 | colour & 0x07E0 | colour >> 11
                }
            }
        }
        return VisiblePicture(width: ColourPanel.width, height: ColourPanel.height, pixels: pixels, light: light)
    }

    /// Returns the first cycle, at or after `cycle`, at which the panel begins to refresh the line that shows a row of memory.
    ///
    /// A line takes 250 + 16 RTNA clocks of 10 MHz (FRCTRL2, 9.2.16). A frame has 344 lines: 12 of back porch, 320 of memory,
    /// and 12 of front porch (the defaults of PORCTRL, 9.2.3). RTNA's default gives 59.3 frames a second. Other porches are not
    /// modelled.
    ///
    /// - Returns: nil if the panel does not show the row.
    package func scanOut(row: Int, after cycle: UInt64) -> UInt64? {
        guard case .awake(let start) = power, registers.isOn else { return nil }
        guard let line = (0..<ColourPanel.height).first(where: { self.row(at: $0) == row }) else { return nil }
        let lineCycles = (250 + 16 * registers.lineLength) * 64 / 10
        let first = start + UInt64(12 + line) * lineCycles, frame = 344 * lineCycles
        return cycle <= first ? first : first + (cycle - first + frame - 1) / frame * frame
    }
}
