import Foundation
import TestSupport
import Testing
import WatchLink

@testable import Watch

final class Canvas {
    private let memory: UnsafeMutableRawBufferPointer
    var framebuffer: Framebuffer

    /// Creates a black canvas without dirty lines.
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

    var bytes: [UInt8] {
        Canvas.bytes(of: framebuffer)
    }

    static func bytes(of framebuffer: borrowing Framebuffer) -> [UInt8] {
        let frame = framebuffer.frame
        var bytes: [UInt8] = []
        for index in 0..<PanelGeometry.bytesPerFrame { bytes.append(frame[index]) }
        return bytes
    }

    var dirtyLines: [Int] {
        (0..<PanelGeometry.height).filter { framebuffer.isDirty(line: $0) }
    }

    func isDirty(_ line: Int) -> Bool {
        framebuffer.isDirty(line: line)
    }

    @discardableResult
    func flush(to panel: inout RecordingPanel) -> Int {
        framebuffer.flush(to: &panel)
    }

    func flush() {
        var panel = RecordingPanel()
        framebuffer.flush(to: &panel)
    }

    func isLit(_ x: Int, _ y: Int) -> Bool {
        framebuffer.pixel(x: x, y: y) == .white
    }

    var pixels: [[Bool]] {
        (0..<PanelGeometry.height).map { y in (0..<PanelGeometry.width).map { x in isLit(x, y) } }
    }

    var litArea: Rect? {
        let pixels = self.pixels
        let lines = pixels.indices.filter { pixels[$0].contains(true) }
        let columns = (0..<PanelGeometry.width).filter { x in pixels.contains { $0[x] } }
        guard let top = lines.first, let bottom = lines.last, let left = columns.first, let right = columns.last else {
            return nil
        }
        return Rect(left: left, top: top, right: right + 1, bottom: bottom + 1)
    }

    static func title(_ text: String) -> ItemTitle {
        title(bytes: Array(text.utf8))
    }

    static func title(bytes: [UInt8]) -> ItemTitle {
        ItemTitle(utf8: bytes.span)
    }

    @discardableResult
    func draw(
        _ text: String, _ font: Font, at origin: Point, clip: Rect = .panel, ink: Ink = .white
    ) -> Int {
        let bytes = Array(text.utf8)
        return framebuffer.draw(bytes.span, font, at: origin, clip: clip, ink: ink)
    }
}

struct RecordingPanel: Panel {
    var lines: [Int] = []
    var bytes = [UInt8](repeating: 0, count: PanelGeometry.bytesPerFrame)

    mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        lines.append(line)
        for index in pixels.indices { bytes[line * PanelGeometry.bytesPerLine + index] = pixels[index] }
    }
}

/// Random numbers that a test can repeat. `TAPLINE_SEED` sets the seed. Pass `replay` to each expectation, so that a
/// failure prints the seed.
struct CanvasRandom: RandomNumberGenerator {
    let seed: UInt64
    private var numbers: SplitMix64

    init() {
        seed = Seed.chosen()
        numbers = SplitMix64(seed: seed)
    }

    var replay: Comment { "TAPLINE_SEED=\(seed)" }

    mutating func next() -> UInt64 { numbers.next() }

    mutating func int(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    mutating func rect() -> Rect {
        let left = int(-40...160)
        let top = int(-40...190)
        return Rect(left: left, top: top, right: left + int(-2...170), bottom: top + int(-2...190))
    }

    /// Returns UTF-8 text with ASCII, Latin and other characters. Random bytes between them can make it invalid.
    mutating func text(upTo length: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<int(0...length) {
            switch int(0...9) {
            case 0...4: bytes.append(UInt8(int(0x20...0x7E)))
            case 5...6: bytes += Array(String(scalar(0xA0...0x17F)).utf8)
            case 7: bytes += Array(String(scalar(0...0xFFFF)).utf8)
            case 8: bytes += Array(String(scalar(0x1_0000...0x10_FFFF)).utf8)
            case _: bytes.append(UInt8(int(0...255)))
            }
        }
        return bytes
    }

    private mutating func scalar(_ range: ClosedRange<Int>) -> Character {
        while true {
            if let scalar = Unicode.Scalar(UInt32(int(range))) { return Character(scalar) }
        }
    }
}

extension Framebuffer {
    func pixel(x: Int, y: Int) -> Ink {
        guard Rect.panel.contains(x: x, y: y) else { return .black }
        let byte = frame[FrameBits.offset(line: y) + x / 8]
        return byte & (0x80 >> UInt8(x % 8)) == 0 ? .black : .white
    }

    func isDirty(line: Int) -> Bool { dirty.contains(line) }

    mutating func markAllDirty() { dirty.insert(0..<PanelGeometry.height) }

    var dirtyLineCount: Int { dirty.count }

    mutating func invert(_ rect: Rect) {
        let area = rect.intersection(.panel)
        for y in area.top..<max(area.top, area.bottom) {
            for x in area.left..<max(area.left, area.right) {
                fill(Rect(x: x, y: y, width: 1, height: 1), pixel(x: x, y: y) == .white ? .black : .white)
            }
        }
    }
}

extension GlyphCoverage {
    var glyphCount: Int { replacementIndex + 1 }
}

/// Compares a frame of the panel with its golden image, `Tests/WatchTests/Golden/NAME.pbm`. The images are PBM files of
/// type P4, with one bit for each pixel. Lit pixels are white.
///
/// If an image differs, the test fails and writes `NAME.actual.pbm` and `NAME.difference.pbm` next to it. The second
/// file is black where the pixels differ. With TAPLINE_RECORD_GOLDEN=1, the test writes the golden image instead.
enum GoldenImage {
    private static let header = Data("P4\n144 168\n".utf8)

    static func expect(
        _ canvas: Canvas, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try expect(canvas.bytes, name, sourceLocation: sourceLocation)
    }

    static func expect(
        _ actual: [UInt8], _ name: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let golden = file(name)
        if ProcessInfo.processInfo.environment["TAPLINE_RECORD_GOLDEN"] == "1" {
            try pbm(actual).write(to: golden)
            return
        }
        guard let expected = try? read(golden) else {
            Issue.record(
                "\(golden.path) is missing or is no picture of the panel: record it with TAPLINE_RECORD_GOLDEN=1",
                sourceLocation: sourceLocation)
            return
        }
        guard expected != actual else { return }
        let actualFile = file("\(name).actual")
        let differenceFile = file("\(name).difference")
        try pbm(actual).write(to: actualFile)
        try pbm(zip(actual, expected).map { ~($0 ^ $1) }).write(to: differenceFile)
        let count = zip(actual, expected).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
        Issue.record(
            "\(count) pixels differ from \(golden.path): see \(actualFile.path) and \(differenceFile.path)",
            sourceLocation: sourceLocation)
    }

    private static func file(_ name: String) -> URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Golden/\(name).pbm")
    }

    /// Inverts the bits, because a set bit is a black pixel in a PBM file and a lit (white) pixel on the panel.
    private static func pbm(_ bytes: [UInt8]) -> Data {
        header + Data(bytes.map { ~$0 })
    }

    private static func read(_ file: URL) throws -> [UInt8]? {
        let data = try Data(contentsOf: file)
        guard data.count == header.count + PanelGeometry.bytesPerFrame, data.prefix(header.count) == header else {
            return nil
        }
        return data.dropFirst(header.count).map { ~$0 }
    }
}
