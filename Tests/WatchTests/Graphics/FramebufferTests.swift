import SeededNumbers
import Testing

@testable import Watch

@Suite struct FramebufferTests {
    @Test func isBlackAndWhollyDirtyAtFirst() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0xAA)
        var arena = MemoryArena(memory)
        let framebuffer = Framebuffer(arena: &arena)
        let dirty = framebuffer.dirtyLineCount
        let isBlack = (0..<144).allSatisfy { framebuffer.pixel(x: $0, y: $0) == .black }
        let used = arena.used
        #expect(dirty == 168 && isBlack)
        #expect(used <= Framebuffer.memorySize + 4)
        #expect(Framebuffer.memorySize == 3_048)
    }

    @Test func leftmostPixelIsTheHighestBit() {
        let canvas = Canvas()
        canvas.framebuffer.fill(Rect(x: 0, y: 2, width: 1, height: 1))
        canvas.framebuffer.fill(Rect(x: 143, y: 2, width: 1, height: 1))
        #expect(canvas.bytes[36] == 0x80)
        #expect(canvas.bytes[53] == 0x01)
        #expect(canvas.isLit(0, 2) && canvas.isLit(143, 2) && !canvas.isLit(1, 2))
        #expect(!canvas.isLit(-1, 2) && !canvas.isLit(144, 2) && !canvas.isLit(0, 168))
    }

    @Test func fillingAndInvertingChangeExactlyTheirPixels() {
        var random = CanvasRandom()
        let canvas = Canvas()
        var model = canvas.pixels
        for _ in 0..<TestLevel.rounds(40, nightly: 200) {
            let rect = random.rect()
            let operation = random.int(0...2)
            var changedLines: Set<Int> = []
            for y in 0..<168 {
                for x in 0..<144 where rect.contains(x: x, y: y) {
                    let new = operation == 0 ? true : operation == 1 ? false : !model[y][x]
                    if new != model[y][x] { changedLines.insert(y) }
                    model[y][x] = new
                }
            }
            switch operation {
            case 0: canvas.framebuffer.fill(rect)
            case 1: canvas.framebuffer.fill(rect, .black)
            case _: canvas.framebuffer.invert(rect)
            }
            #expect(canvas.pixels == model, random.replay)
            #expect(canvas.dirtyLines == changedLines.sorted(), random.replay)
            canvas.flush()
        }
    }

    @Test func linesAreRectanglesOfOnePixel() {
        let canvas = Canvas()
        canvas.framebuffer.horizontalLine(y: 5, from: 3, to: 20)
        #expect(canvas.litArea == Rect(left: 3, top: 5, right: 20, bottom: 6))
        canvas.framebuffer.clear()
        canvas.framebuffer.verticalLine(x: 7, from: 150, to: 200)
        #expect(canvas.litArea == Rect(left: 7, top: 150, right: 8, bottom: 168))
        canvas.framebuffer.clear()
        #expect(canvas.litArea == nil)
    }

    @Test func `a horizontal line is drawn as far as it is on the panel`() {
        for (line, from, to) in [(-1, 3, 20), (168, 3, 20), (5, 20, 20), (5, 20, 3), (5, -9, 0), (5, 144, 150)] {
            let canvas = Canvas()
            canvas.framebuffer.horizontalLine(y: line, from: from, to: to)
            #expect(canvas.litArea == nil && canvas.dirtyLines.isEmpty, "line \(line), \(from) to \(to)")
        }
        let canvas = Canvas()
        canvas.framebuffer.horizontalLine(y: 167, from: -40_000, to: 40_000)
        #expect(canvas.litArea == Rect(left: 0, top: 167, right: 144, bottom: 168) && canvas.dirtyLines == [167])
    }

    @Test func movingLinesCopiesThemAndMarksWhatChanged() {
        var random = CanvasRandom()
        let canvas = Canvas()
        for _ in 0..<TestLevel.rounds(20, nightly: 100) {
            canvas.framebuffer.invert(random.rect())
            canvas.flush()
            var model = canvas.pixels
            let before = model
            let count = random.int(0...168)
            let source = random.int(0...168 - count)
            let destination = random.int(0...168 - count)
            let width = random.int(0...18) * 8
            for line in 0..<count {
                for x in 0..<width { model[destination + line][x] = before[source + line][x] }
            }
            canvas.framebuffer.moveLines(from: source, to: destination, count: count, width: width)
            #expect(canvas.pixels == model, random.replay)
            #expect(canvas.dirtyLines == (0..<168).filter { model[$0] != before[$0] }, random.replay)
        }
    }

    @Test func flushSendsExactlyTheDirtyLinesTopToBottomOnce() {
        var random = CanvasRandom()
        let canvas = Canvas()
        var panel = RecordingPanel()
        for _ in 0..<100 {
            for _ in 0..<random.int(0...4) { canvas.framebuffer.invert(random.rect()) }
            let dirty = canvas.dirtyLines
            panel.lines = []
            let count = canvas.framebuffer.dirtyLineCount
            #expect(count == dirty.count, random.replay)
            let sent = canvas.flush(to: &panel)
            #expect(sent == dirty.count, random.replay)
            #expect(panel.lines == dirty, random.replay)
            #expect(panel.bytes == canvas.bytes, random.replay)
            #expect(canvas.dirtyLines.isEmpty)
        }
        let none = canvas.flush(to: &panel)
        canvas.framebuffer.markAllDirty()
        let all = canvas.flush(to: &panel)
        #expect(none == 0 && all == 168)
    }
}
