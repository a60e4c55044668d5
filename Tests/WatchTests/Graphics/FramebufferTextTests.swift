import SeededNumbers
import Testing

@testable import Watch

@Suite struct FramebufferTextTests {
    @Test(arguments: [Ink.white, Ink.black]) func anyTextStaysWithinItsClipAndMarksWhatItChanges(ink: Ink) {
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

    @Test func clippedTextIsTheTextWithItsOutsideTakenAway() {
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

    @Test func everyShiftWithinAByteDrawsTheSameGlyphs() {
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

    @Test func blackOnWhiteIsTheNegativeOfWhiteOnBlack() {
        let white = Canvas()
        white.draw("Wholemeal, Œufs", .title, at: Point(x: 3, y: 40))
        let black = Canvas()
        black.framebuffer.fill(.panel)
        black.draw("Wholemeal, Œufs", .title, at: Point(x: 3, y: 40), ink: .black)
        #expect(black.bytes == white.bytes.map { ~$0 })
    }

    @Test func textsAreCentredAndEndWhereTheyAreAsked() throws {
        let canvas = Canvas()
        canvas.framebuffer.draw(("HH" as StaticString).utf8, .row, centredAt: 72, baseline: 30)
        let centred = try #require(canvas.litArea)
        #expect(abs(centred.left + centred.right - 144) <= 1)
        #expect(centred.bottom == 30)
        canvas.framebuffer.clear()
        canvas.framebuffer.draw(("HH" as StaticString).utf8, .row, endingAt: 100, baseline: 30)
        #expect(canvas.litArea?.right == 100)
    }

    @Test func drawingReturnsWhereMoreTextGoesOn() {
        let parts = Canvas()
        let next = parts.draw("Oat ", .row, at: Point(x: 5, y: 40))
        parts.draw("milk", .row, at: Point(x: next, y: 40))
        let whole = Canvas()
        whole.draw("Oat milk", .row, at: Point(x: 5, y: 40))
        #expect(parts.bytes == whole.bytes)
    }
}
