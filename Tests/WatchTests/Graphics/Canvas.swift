import Testing
import WatchLink

@testable import Watch

/// A framebuffer with memory of its own, for a test to draw on.
final class Canvas {
    private let memory: UnsafeMutableRawBufferPointer
    var framebuffer: Framebuffer

    /// A black picture without dirty lines.
    init() {
        memory = .allocate(byteCount: Framebuffer.memorySize + 16, alignment: 16)
        var arena = MemoryArena(memory)
        framebuffer = Framebuffer(arena: &arena)
        var panel = RecordingPanel()
        framebuffer.flush(to: &panel)
    }

    deinit {
        memory.deallocate()
    }

    /// All bytes of the picture.
    var bytes: [UInt8] {
        Canvas.bytes(of: framebuffer)
    }

    /// All bytes of a picture.
    static func bytes(of framebuffer: borrowing Framebuffer) -> [UInt8] {
        let frame = framebuffer.frame
        var bytes: [UInt8] = []
        for index in 0..<PanelGeometry.bytesPerFrame { bytes.append(frame[index]) }
        return bytes
    }

    /// The lines that are dirty, top to bottom.
    var dirtyLines: [Int] {
        (0..<PanelGeometry.height).filter { framebuffer.isDirty(line: $0) }
    }

    /// Whether the panel does not show a line as it is.
    func isDirty(_ line: Int) -> Bool {
        framebuffer.isDirty(line: line)
    }

    /// Sends the dirty lines and returns how many they were.
    @discardableResult
    func flush(to panel: inout RecordingPanel) -> Int {
        framebuffer.flush(to: &panel)
    }

    /// Marks every line as shown.
    func flush() {
        var panel = RecordingPanel()
        framebuffer.flush(to: &panel)
    }

    /// Whether the pixel is lit.
    func isLit(_ x: Int, _ y: Int) -> Bool {
        framebuffer.pixel(x: x, y: y) == .white
    }

    /// The picture as a matrix, `[line][column]`, true where lit.
    var pixels: [[Bool]] {
        (0..<PanelGeometry.height).map { y in (0..<PanelGeometry.width).map { x in isLit(x, y) } }
    }

    /// The smallest area that has all lit pixels in it, or nil when none is lit.
    var litArea: Rect? {
        let pixels = self.pixels
        let lines = pixels.indices.filter { pixels[$0].contains(true) }
        let columns = (0..<PanelGeometry.width).filter { x in pixels.contains { $0[x] } }
        guard let top = lines.first, let bottom = lines.last, let left = columns.first, let right = columns.last else {
            return nil
        }
        return Rect(left: left, top: top, right: right + 1, bottom: bottom + 1)
    }

    /// A title from a string.
    static func title(_ text: String) -> ItemTitle {
        title(bytes: Array(text.utf8))
    }

    /// A title from bytes that may be anything.
    static func title(bytes: [UInt8]) -> ItemTitle {
        ItemTitle(utf8: bytes.span)
    }

    /// Draws a string.
    @discardableResult
    func draw(
        _ text: String, _ font: Font, at origin: Point, clip: Rect = .panel, ink: Ink = .white
    ) -> Int {
        let bytes = Array(text.utf8)
        return framebuffer.draw(bytes.span, font, at: origin, clip: clip, ink: ink)
    }
}

/// A panel that remembers what it was sent.
struct RecordingPanel: Panel {
    /// The lines in the order in which they came.
    var lines: [Int] = []
    /// What the panel shows: 18 bytes a line, black where nothing was sent.
    var bytes = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)

    mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        lines.append(line)
        for index in pixels.indices { bytes[line * PanelGeometry.bytesPerLine + index] = pixels[index] }
    }
}
