import BoardSupport
import Watch
import WatchLink

/// The driver of the PineTime's panel, an ST7789 on SPI at 8 MHz (ST7789V data sheet v1.6, sections 7 to 9). The panel has
/// 240 x 240 pixels of 16 bits. Three pins switch its backlight.
///
/// Two neighbouring pixels of the picture become three pixels of the panel, both across and down. The middle pixel has the mean
/// colour of the other two, so that letters keep their shape. The processor computes a panel line while EasyDMA sends the
/// previous one.
struct ST7789: WatchPanel, ~Copyable {
    private enum Light: BitwiseCopyable {
        case on(until: Instant)
        case dark
    }

    private enum Command {
        static var sleepIn: UInt32 { 0x10 }
        static var sleepOut: UInt32 { 0x11 }
        static var invert: UInt32 { 0x21 }
        static var hide: UInt32 { 0x28 }
        static var show: UInt32 { 0x29 }
        static var columns: UInt32 { 0x2A }
        static var rows: UInt32 { 0x2B }
        static var write: UInt32 { 0x2C }
        static var colourBits: UInt32 { 0x3A }
    }

    private static var pixels: Int { 240 }
    private static var litTime: Microseconds { .milliseconds(15_000) }

    /// Buffers for two panel lines. The driver fills one while EasyDMA sends the other. Each pixel has its high byte first.
    private let lines: FixedArray<UInt16>
    private var nextLine = 0
    /// The upper of the two picture lines that become three panel lines.
    private let upper: FixedArray<UInt8>
    /// A square of two by two picture pixels has one of 16 patterns. For each pattern, the table has three neighbouring pixels
    /// of a panel line. The first half of the table has the colours of the title bar. The second half has the colours below the
    /// title bar.
    private let colours: FixedArray<UInt16>
    private var theme: Theme?
    private var titleLines = 0
    /// The picture line that the panel expects next; nil from `beginLines` until the first line sets a window.
    private var follower: Int?
    private var light = Light.dark
    /// The earliest time at which the panel may enter or leave sleep again. The initial value is 120 ms after the start: the
    /// panel needs this time if it was awake when `init` reset it, such as after a watchdog reset (data sheet, 7.4.5).
    private var restUntil = Instant.start + .milliseconds(120)

    init(arena: inout MemoryArena) {
        lines = arena.take(2 * ST7789.pixels, of: 0)
        upper = arena.take(PanelGeometry.bytesPerLine, of: 0)
        colours = arena.take(2 * 16 * 3, of: 0)
        Pin.lowLight.drive(true)
        Pin.middleLight.drive(true)
        Pin.highLight.drive(true)
        Pin.panelSelect.drive(true)
        Pin.panelData.drive(true)
        Pin.panelReset.drive(false)
        RealTimeClock.wait(milliseconds: 1)
        Pin.panelReset.set(true)
        RealTimeClock.wait(milliseconds: 6)
        Pin.buttonFeed.drive(true)
        Pin.sideButton.watch(.down)
        setColours(.dark, titleLines: 0)
        SPIBus.setSpeed(.eightMegahertz)
        Pin.panelSelect.set(false)
        ST7789.command(Command.colourBits, 0x55, count: 1)
        // Columns 0 to 239.
        ST7789.command(Command.columns, 0xEF00_0000, count: 4)
        // The glass shows inverted colours.
        ST7789.command(Command.invert)
        Pin.panelSelect.set(true)
        _ = wake(at: .start)
    }

    static var hasCrown: Bool { false }

    static var hasColours: Bool { true }

    static func pixel(x: Int, y: Int) -> (x: Int16, y: Int16) {
        (Int16(truncatingIfNeeded: x * 2 / 3), Int16(truncatingIfNeeded: y * 2 / 3))
    }

    private static func command(_ code: UInt32, _ parameters: UInt32 = 0, count: Int = 0) {
        SPIBus.finish()
        Pin.panelData.set(false)
        SPIBus.command(code, count: 1)
        Pin.panelData.set(true)
        if count > 0 { SPIBus.command(parameters, count: count) }
    }

    // MARK: Light

    mutating func wake(at now: Instant) -> Bool {
        defer { light = .on(until: now + ST7789.litTime) }
        switch light {
        case .on: return true
        case .dark:
            ready(now)
            ST7789.perform(Command.sleepOut)
            RealTimeClock.wait(milliseconds: 5)
            ST7789.perform(Command.show)
            setLight(true)
            return false
        }
    }

    mutating func attend(at now: Instant) -> Instant {
        switch light {
        case .on(let until) where until <= now:
            setLight(false)
            ready(now)
            ST7789.perform(Command.hide)
            ST7789.perform(Command.sleepIn)
            light = .dark
            return now + Part.longestSleep
        case .on(let until): return until
        case .dark: return now + Part.longestSleep
        }
    }

    /// Waits until at least 130 ms have passed since the last sleep-in or sleep-out. Call this just before each sleep-in and
    /// each sleep-out. The data sheet requires 120 ms from sleep-out to sleep-in (9.1.12).
    private mutating func ready(_ now: Instant) {
        if now < restUntil { RealTimeClock.wait(milliseconds: (restUntil - now).count.lowWord / 1_000 &+ 1) }
        restUntil = max(now, restUntil) + .milliseconds(130)
    }

    /// Turns the backlight on or off. Uses only the middle one of its three lights, which is the weakest that shows colours
    /// indoors.
    private func setLight(_ isOn: Bool) {
        Pin.middleLight.set(!isOn)
    }

    private static func perform(_ code: UInt32) {
        SPIBus.setSpeed(.eightMegahertz)
        Pin.panelSelect.set(false)
        command(code)
        Pin.panelSelect.set(true)
    }

    // MARK: Colours

    mutating func setColours(_ theme: Theme, titleLines: Int) {
        self.titleLines = titleLines
        guard theme != self.theme else { return }
        self.theme = theme
        for group in 0..<16 {
            // The bits of a group: the upper line's two pixels, then the lower line's two, each from left to right.
            let (a, b, c, d) = (group &>> 3 & 1, group &>> 2 & 1, group &>> 1 & 1, group & 1)
            setGroup(group, 2 * (a + c), a + b + c + d, 2 * (b + d))
        }
    }

    /// Sets the three panel pixels of a pattern in both halves of `colours`. Each of `left`, `middle` and `right` is from 0
    /// (the colour of clear picture pixels) to 4 (the colour of set picture pixels).
    private func setGroup(_ group: Int, _ left: Int, _ middle: Int, _ right: Int) {
        guard let theme else { return }
        for region in 0..<2 {
            let (ground, ink) = (theme.ground, region == 0 ? theme.accent : theme.ink)
            let place = (region * 16 + group) * 3
            colours[place] = ST7789.mix(ground, ink, left)
            colours[place + 1] = ST7789.mix(ground, ink, middle)
            colours[place + 2] = ST7789.mix(ground, ink, right)
        }
    }

    /// Mixes two colours: returns `from` for 0 quarters, `to` for 4, and a colour between them for 1 to 3. The result has the
    /// byte order of the bus.
    private static func mix(_ from: UInt16, _ to: UInt16, _ quarters: Int) -> UInt16 {
        func part(_ shift: UInt16, _ mask: UInt16) -> UInt16 {
            let (start, end) = (Int(from &>> shift & mask), Int(to &>> shift & mask))
            return UInt16(truncatingIfNeeded: start + (end - start) * quarters / 4) &<< shift
        }
        return (part(11, 31) | part(5, 63) | part(0, 31)).byteSwapped
    }

    // MARK: Lines

    mutating func beginLines() {
        follower = nil
        SPIBus.setSpeed(.eightMegahertz)
        Pin.panelSelect.set(false)
    }

    /// If the line's number is even, only stores the line. If it is odd, sends the three panel lines that the line makes with
    /// the line above it (`PanelGeometry.linesTogether`).
    @inline(never)
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        guard line & 1 != 0 else {
            for index in pixels.indices { upper[index] = pixels[index] }
            return
        }
        if follower != line - 1 { setWindow(from: line / 2 * 3) }
        follower = line + 1
        let region = line < titleLines ? 0 : 16 * 3
        send(region, upper.span, upper.span)
        send(region, upper.span, pixels)
        send(region, pixels, pixels)
    }

    mutating func finishLines() {
        SPIBus.finish()
        Pin.panelSelect.set(true)
    }

    /// Tells the panel that the next pixels are for `row` and the rows below it, down to the panel's last row.
    private func setWindow(from row: Int) {
        ST7789.command(Command.rows, 0xEF00_0000 | UInt32(truncatingIfNeeded: row) &<< 8, count: 4)
        ST7789.command(Command.write)
    }

    @inline(never)
    private mutating func send(_ region: Int, _ above: Span<UInt8>, _ below: Span<UInt8>) {
        precondition(
            above.count == PanelGeometry.bytesPerLine && below.count == above.count, "a line has another length")
        let table = UnsafePointer(colours.address(of: region))
        let start = lines.address(of: nextLine)
        var next = start
        for index in above.indices {
            let (high, low) = (Int(above[unchecked: index]), Int(below[unchecked: index]))
            var shift = 6
            while shift >= 0 {
                let group = table + 3 &* ((high &>> shift & 3) &<< 2 | low &>> shift & 3)
                next[0] = group[0]
                next[1] = group[1]
                next[2] = group[2]
                next += 3
                shift &-= 2
            }
        }
        SPIBus.send(start, count: 2 * ST7789.pixels)
        nextLine = ST7789.pixels - nextLine
    }
}
