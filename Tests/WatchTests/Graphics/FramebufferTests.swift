import TestSupport
import Testing

@testable import Watch

struct FramebufferTests {
    @Test func `a new framebuffer is black and wholly dirty`() {
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

    @Test func `the leftmost pixel is the highest bit`() {
        let canvas = Canvas()
        canvas.framebuffer.fill(Rect(x: 0, y: 2, width: 1, height: 1))
        canvas.framebuffer.fill(Rect(x: 143, y: 2, width: 1, height: 1))
        #expect(canvas.bytes[36] == 0x80)
        #expect(canvas.bytes[53] == 0x01)
        #expect(canvas.isLit(0, 2) && canvas.isLit(143, 2) && !canvas.isLit(1, 2))
        #expect(!canvas.isLit(-1, 2) && !canvas.isLit(144, 2) && !canvas.isLit(0, 168))
    }

    @Test func `filling and inverting change exactly their pixels`() {
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

    @Test func `lines are rectangles of one pixel, as far as they are on the panel`() {
        for (line, from, to) in [(-1, 3, 20), (168, 3, 20), (5, 20, 20), (5, 20, 3), (5, -9, 0), (5, 144, 150)] {
            let canvas = Canvas()
            canvas.framebuffer.horizontalLine(y: line, from: from, to: to)
            #expect(canvas.litArea == nil && canvas.dirtyLines.isEmpty, "line \(line), \(from) to \(to)")
        }
        let canvas = Canvas()
        canvas.framebuffer.horizontalLine(y: 167, from: -40_000, to: 40_000)
        #expect(canvas.litArea == Rect(left: 0, top: 167, right: 144, bottom: 168) && canvas.dirtyLines == [167])
        canvas.framebuffer.clear()
        #expect(canvas.litArea == nil)
        canvas.framebuffer.verticalLine(x: 7, from: 150, to: 200)
        #expect(canvas.litArea == Rect(left: 7, top: 150, right: 8, bottom: 168))
    }

    @Test func `moving lines copies them and marks what changed`() {
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

    @Test func `a flush sends exactly the dirty lines once, from top to bottom`() {
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

struct FramebufferShapesTests {
    @Test(arguments: 1...88) func `a pixel of a disc is lit where its centre is inside the circle`(diameter: Int) {
        let canvas = Canvas()
        canvas.framebuffer.fillDisc(at: Point(x: 20, y: 30), diameter: diameter)
        #expect(canvas.litArea == Rect(x: 20, y: 30, width: diameter, height: diameter))
        for y in 0..<diameter {
            for x in 0..<diameter {
                // Twice the distances from the centre, which lies between pixels where the diameter is even.
                let (across, down) = (2 * x - diameter + 1, 2 * y - diameter + 1)
                let isInside = across * across + down * down <= diameter * diameter
                #expect(canvas.isLit(20 + x, 30 + y) == isInside, "(\(x), \(y))")
            }
        }
    }

    @Test func `a disc stays within its clip`() {
        let canvas = Canvas()
        let clip = Rect(x: 100, y: 0, width: 44, height: 44)
        canvas.framebuffer.fillDisc(at: Point(x: 100, y: -44), diameter: 88, clip: clip)
        #expect(canvas.litArea == clip)
        #expect(!canvas.isLit(101, 42))
    }

    @Test func `a rounded rectangle keeps its edges and loses its corners`() {
        let canvas = Canvas()
        let rect = Rect(x: 10, y: 10, width: 60, height: 40)
        canvas.framebuffer.fillRounded(rect, radius: 9)
        #expect(canvas.litArea == rect)
        #expect(!canvas.isLit(10, 10) && !canvas.isLit(69, 10) && !canvas.isLit(10, 49) && !canvas.isLit(69, 49))
        #expect(canvas.isLit(40, 10) && canvas.isLit(10, 30))
    }

    @Test func `a full ring is the disc without its middle`() {
        let canvas = Canvas()
        canvas.framebuffer.drawRing(at: Point(x: 20, y: 20), diameter: 44, thickness: 5)
        let expected = Canvas()
        expected.framebuffer.fillDisc(at: Point(x: 20, y: 20), diameter: 44)
        expected.framebuffer.fillDisc(at: Point(x: 25, y: 25), diameter: 34, .black)
        #expect(canvas.bytes == expected.bytes)
    }

    @Test func `a ring grows clockwise from the top and never leaves its box`() {
        var litBefore = 0
        for sixteenth in UInt32(0)...16 {
            let canvas = Canvas()
            canvas.framebuffer.drawRing(
                at: Point(x: 50, y: 50), diameter: 44, thickness: 5, sweep: Sweep(sixteenth, of: 16))
            let lit = canvas.bytes.reduce(0) { $0 + $1.nonzeroBitCount }
            #expect(sixteenth == 0 ? lit == 0 : lit > litBefore)
            litBefore = lit
            if let area = canvas.litArea {
                #expect(area.left >= 50 && area.top >= 50 && area.right <= 94 && area.bottom <= 94)
            }
            // The middle of the stroke at 3, 6 and 9 o'clock.
            if sixteenth > 0 {
                #expect(canvas.isLit(91, 72) == (sixteenth >= 4))
                #expect(canvas.isLit(71, 91) == (sixteenth >= 8))
                #expect(canvas.isLit(52, 71) == (sixteenth >= 12))
            }
        }
    }

    @Test func `a tick is three times as wide as its size`() throws {
        let canvas = Canvas()
        canvas.framebuffer.drawTick(at: Point(x: 10, y: 10), size: 8, thickness: 5)
        let area = try #require(canvas.litArea)
        #expect(area.left == 10 && area.width == 25)
        #expect(area.top == 10 && area.bottom == 10 + 16 + 5)
    }
}

struct FramebufferTextTests {
    @Test(arguments: [Ink.white, Ink.black]) func `any text stays within its clip and marks what it changes`(ink: Ink) {
        var random = CanvasRandom()
        let canvas = Canvas()
        canvas.framebuffer.fill(.panel, ink == .white ? .black : .white)
        for _ in 0..<TestLevel.rounds(40, nightly: 400) {
            canvas.flush()
            let before = canvas.pixels
            let clip = random.rect()
            let font = [Font.row, .title, .small][random.int(0...2)]
            let text = random.text(upTo: 40)
            canvas.framebuffer.draw(
                text.span, font, at: Point(x: random.int(-200...160), y: random.int(-20...190)),
                ending: random.int(0...1) == 0 ? .whole : .ellipsis, clip: clip, ink: ink)
            let after = canvas.pixels
            for y in 0..<168 where before[y] != after[y] {
                #expect(canvas.isDirty(y), random.replay)
                for x in 0..<144 where before[y][x] != after[y][x] {
                    #expect(clip.contains(x: x, y: y), random.replay)
                    #expect(after[y][x] == (ink == .white), random.replay)
                }
            }
        }
    }

    @Test func `clipped text is the text with its outside taken away`() {
        var random = CanvasRandom()
        for _ in 0..<100 {
            let text = random.text(upTo: 30)
            let origin = Point(x: random.int(-60...140), y: random.int(-5...180))
            let clip = random.rect()
            let whole = Canvas()
            let clipped = Canvas()
            whole.framebuffer.draw(text.span, .row, at: origin)
            clipped.framebuffer.draw(text.span, .row, at: origin, clip: clip)
            for y in 0..<168 {
                for x in 0..<144 {
                    #expect(clipped.isLit(x, y) == (whole.isLit(x, y) && clip.contains(x: x, y: y)), random.replay)
                }
            }
        }
    }

    @Test func `every shift within a byte draws the same glyphs`() {
        let reference = Canvas()
        reference.draw("Ħāgjœ", .row, at: Point(x: 0, y: 50))
        for shift in 1...15 {
            let canvas = Canvas()
            canvas.draw("Ħāgjœ", .row, at: Point(x: shift, y: 50))
            for y in 0..<168 {
                for x in shift..<144 { #expect(canvas.isLit(x, y) == reference.isLit(x - shift, y)) }
            }
        }
    }

    @Test func `black on white is the negative of white on black`() {
        let white = Canvas()
        white.draw("Wholemeal, Œufs", .title, at: Point(x: 3, y: 40))
        let black = Canvas()
        black.framebuffer.fill(.panel)
        black.draw("Wholemeal, Œufs", .title, at: Point(x: 3, y: 40), ink: .black)
        #expect(black.bytes == white.bytes.map { ~$0 })
    }

    @Test func `texts are centred and end where they are asked`() throws {
        let canvas = Canvas()
        canvas.framebuffer.draw(("HH" as StaticString).utf8, .row, centredAt: 72, baseline: 30)
        let centred = try #require(canvas.litArea)
        #expect(abs(centred.left + centred.right - 144) <= 1)
        #expect(centred.bottom == 30)
        canvas.framebuffer.clear()
        canvas.framebuffer.draw(("HH" as StaticString).utf8, .row, endingAt: 100, baseline: 30)
        #expect(canvas.litArea?.right == 100)
    }

    @Test func `drawing returns where more text goes on`() {
        let parts = Canvas()
        let next = parts.draw("Oat ", .row, at: Point(x: 5, y: 40))
        parts.draw("milk", .row, at: Point(x: next, y: 40))
        let whole = Canvas()
        whole.draw("Oat milk", .row, at: Point(x: 5, y: 40))
        #expect(parts.bytes == whole.bytes)
    }
}

struct DirtyLinesTests {
    @Test func `every dirty line comes back once, in order`() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 16)
        defer { memory.deallocate() }
        var arena = MemoryArena(memory)
        var lines = DirtyLines(arena: &arena)
        let used = arena.used
        #expect(used == DirtyLines.memorySize && lines.count == 0)
        for line in [167, 0, 31, 32, 95, 96, 0] { lines.insert(line) }
        lines.insert(60..<63)
        #expect(lines.count == 9 && lines.contains(61) && !lines.contains(63))
        var found: [Int] = []
        while let line = lines.removeFirst(from: found.last.map { $0 + 1 } ?? 0) { found.append(line) }
        #expect(found == [0, 31, 32, 60, 61, 62, 95, 96, 167])
        #expect(lines.count == 0)
        let none = lines.removeFirst(from: 168)
        #expect(none == nil)
    }
}
