/// The picture for the panel, 144 x 168 pixels of one bit, and the set of lines that the panel does not show yet.
///
/// All drawing is clipped to the panel and marks the lines it touches as dirty. `flush` sends only those, because a
/// line costs 145 us on the panel's bus and a frame 24.5 ms. Filling and moving mark a line only where a byte changes;
/// glyphs mark every line that they cover.
///
/// Memory: 3,024 bytes of picture in the format of `Panel.writeLine`, and 24 bytes of dirty lines.
struct Framebuffer: ~Copyable {
    private let bytes: FixedArray<UInt8>
    let bits: FrameBits
    var dirty: DirtyLines

    /// A dark picture. Every line is dirty, because what the panel shows at power-on is unknown.
    init(arena: inout MemoryArena) {
        bytes = arena.take(PanelGeometry.bytesPerFrame, of: 0)
        bits = FrameBits(bytes)
        dirty = DirtyLines(arena: &arena)
        dirty.insert(0..<PanelGeometry.height)
    }

    static var memorySize: Int { PanelGeometry.bytesPerFrame + DirtyLines.memorySize }

    /// All bytes of the picture, line by line from the top.
    var frame: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get { bytes.span }
    }

    // MARK: Dirty lines

    var hasChanges: Bool { !dirty.isEmpty }

    /// Sends dirty lines to the panel as one run, from the top, and returns their number. They are on the panel once its
    /// `finishLines` has returned. Without dirty lines the panel receives no call.
    ///
    /// - Parameter most: the lines that are sent at most, from 1.
    @discardableResult
    mutating func flush(to panel: inout some Panel & ~Copyable, atMost most: Int = PanelGeometry.height) -> Int {
        guard var line = dirty.removeFirst(from: 0) else { return 0 }
        panel.beginLines()
        var sent = 0
        while true {
            let start = FrameBits.offset(line: line)
            panel.writeLine(line, pixels: bytes.slice(start..<start + PanelGeometry.bytesPerLine).span)
            sent += 1
            guard sent < most, let next = dirty.removeFirst(from: line + 1) else { return sent }
            line = next
        }
    }

    // MARK: Moving

    /// Copies `count` lines from `source` to `destination`; the two may overlap. All lines must lie on the panel.
    ///
    /// - Parameter width: pixels to copy of each line, from the left edge: a multiple of 8.
    mutating func moveLines(
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

    mutating func fill(_ rect: Rect, _ ink: Ink = .white) {
        apply(Framebuffer.change(to: ink), to: rect)
    }

    private static func change(to ink: Ink) -> FrameBits.Change {
        switch ink {
        case .black: .clear
        case .white: .set
        }
    }

    /// Sets every pixel of `rect`, which lies on the panel, to white. Skips the clipping, for the strike that the
    /// wearer waits for.
    @inline(never)
    mutating func fillOnPanel(_ rect: Rect) {
        var line = rect.top
        while line < rect.bottom {
            if bits.apply(.set, line: line, from: rect.left, to: rect.right) { dirty.insert(line) }
            line &+= 1
        }
    }

    mutating func clear() {
        fill(.panel, .black)
    }

    /// Fills columns `left ..< right` of line `y`.
    @inline(never)
    mutating func horizontalLine(y: Int, from left: Int, to right: Int, _ ink: Ink = .white) {
        let (from, to) = (max(left, 0), min(right, PanelGeometry.width))
        guard from < to, (0..<PanelGeometry.height).contains(y) else { return }
        changeLine(y, from: from, to: to, Framebuffer.change(to: ink))
    }

    /// Fills lines `top ..< bottom` of column `x`.
    mutating func verticalLine(x: Int, from top: Int, to bottom: Int, _ ink: Ink = .white) {
        fill(Rect(left: x, top: top, right: x + 1, bottom: bottom), ink)
    }

    @inline(never)
    private mutating func apply(_ change: FrameBits.Change, to rect: Rect) {
        let area = rect.intersection(.panel)
        guard !area.isEmpty else { return }
        for line in area.top..<area.bottom { changeLine(line, from: area.left, to: area.right, change) }
    }

    /// Changes the pixels in columns `left ..< right` of a line, which lie on the panel.
    @inline(never)
    private mutating func changeLine(_ line: Int, from left: Int, to right: Int, _ change: FrameBits.Change) {
        if bits.apply(change, line: line, from: left, to: right) { dirty.insert(line) }
    }
}

enum Ink: Sendable, BitwiseCopyable {
    /// Dark: the background, a clear bit.
    case black
    /// Lit: a set bit.
    case white
}
