/// The picture that the panel is to show: 144 x 168 pixels of one bit, and which of its lines the panel does not show yet.
///
/// Everything that draws is clipped to the panel and marks the lines it touched; `flush` sends those and no others, since
/// a line costs 80 us on the panel's bus and a frame 13.5 ms. Filling and moving mark a line only where a byte of it really
/// changed; glyphs and bitmaps mark every line that they cover.
///
/// The bits lie in memory of the arena: 3,024 bytes of picture, 18 bytes a line, the leftmost pixel in the highest bit, as
/// `Panel.writeLine` wants them, and 24 bytes of dirty lines.
public struct Framebuffer: ~Copyable {
    private let bytes: FixedArray<UInt8>
    let bits: FrameBits
    var dirty: DirtyLines

    /// A dark picture in memory of the arena. Every line is dirty, since nobody knows what the panel shows at power-on.
    public init(arena: inout MemoryArena) {
        bytes = arena.take(PanelGeometry.bytesPerFrame, of: 0)
        bits = FrameBits(bytes)
        dirty = DirtyLines(arena: &arena)
        markAllDirty()
    }

    /// Bytes that `init(arena:)` takes, apart from padding.
    public static var memorySize: Int { PanelGeometry.bytesPerFrame + DirtyLines.memorySize }

    /// All bytes of the picture, line after line, top to bottom.
    public var frame: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span }
    }

    // MARK: Dirty lines

    /// Makes the next flush send everything: after power-on, and when the panel lost its picture.
    public mutating func markAllDirty() {
        dirty.insert(0..<PanelGeometry.height)
    }

    /// Whether any line is dirty.
    public var hasChanges: Bool { dirty.count > 0 }

    /// Hands the dirty lines to the panel as one run, top to bottom, after which none is dirty. They are on the panel once
    /// its `finishLines` has returned. Returns how many they are; where there are none the panel is left alone.
    @discardableResult
    public mutating func flush(to panel: inout some Panel & ~Copyable) -> Int {
        guard var line = dirty.removeFirst(from: 0) else { return 0 }
        panel.beginLines(dirty.count + 1)
        var sent = 0
        while true {
            let start = FrameBits.offset(line: line)
            panel.writeLine(line, pixels: bytes.slice(start..<start + PanelGeometry.bytesPerLine).span)
            sent += 1
            guard let next = dirty.removeFirst(from: line + 1) else { return sent }
            line = next
        }
    }

    // MARK: Moving

    /// Copies `count` lines that start at line `source` to those that start at `destination`; the two may overlap. Lines of
    /// the destination that already looked the same are not marked. All lines must lie on the panel.
    ///
    /// - Parameter width: pixels of each line that are copied, counted from the left edge: a multiple of 8.
    public mutating func moveLines(
        from source: Int, to destination: Int, count: Int, width: Int = PanelGeometry.width
    ) {
        precondition(source >= 0 && destination >= 0 && count >= 0, "no such lines")
        precondition(max(source, destination) + count <= PanelGeometry.height, "no such lines")
        precondition(width >= 0 && width <= PanelGeometry.width, "wider than the panel")
        // The nearest line first, so that none is overwritten before it has been copied.
        for step in 0..<count {
            let line = destination < source ? step : count - 1 - step
            if bits.copyLine(from: source + line, to: destination + line, count: width / 8) {
                dirty.insert(destination + line)
            }
        }
    }

    /// Sets the eight pixels of one byte of a line, the leftmost in the highest bit. `column` is 0 to 17.
    mutating func setByte(_ pixels: UInt8, column: Int, line: Int) {
        let place = FrameBits.offset(line: line) + column
        guard bytes[place] != pixels else { return }
        bytes[place] = pixels
        dirty.insert(line)
    }

    // MARK: Rectangles

    /// Sets every pixel of `rect` to `ink`.
    public mutating func fill(_ rect: Rect, _ ink: Ink = .white) {
        apply(ink == .white ? .set : .clear, to: rect)
    }

    /// Sets every pixel of `rect`, which lies on the panel, to white: for the line that the wearer waits for.
    @inline(never)
    mutating func fillOnPanel(_ rect: Rect) {
        changeLines(.set, of: rect)
    }

    /// Makes the whole picture black.
    public mutating func clear() {
        fill(.panel, .black)
    }

    /// Fills line `y` from column `left` up to, but without, `right`.
    public mutating func horizontalLine(y: Int, from left: Int, to right: Int, _ ink: Ink = .white) {
        fill(Rect(left: left, top: y, right: right, bottom: y + 1), ink)
    }

    /// Fills column `x` from line `top` down to, but without, `bottom`.
    public mutating func verticalLine(x: Int, from top: Int, to bottom: Int, _ ink: Ink = .white) {
        fill(Rect(left: x, top: top, right: x + 1, bottom: bottom), ink)
    }

    @inline(never)
    private mutating func apply(_ change: FrameBits.Change, to rect: Rect) {
        let area = rect.intersection(.panel)
        guard !area.isEmpty else { return }
        changeLines(change, of: area)
    }

    /// Inlined, so that a change that is known beforehand takes the fewest instructions.
    @inline(__always)
    private mutating func changeLines(_ change: FrameBits.Change, of area: Rect) {
        for line in area.top..<area.bottom
        where bits.apply(change, line: line, from: area.left, to: area.right) {
            dirty.insert(line)
        }
    }
}
