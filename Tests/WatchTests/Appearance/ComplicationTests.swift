import TestSupport
import Testing

@testable import Watch

struct ComplicationTests {
    private func families(_ content: ComplicationContent, isRedacted: Bool = false) -> Canvas {
        let canvas = Canvas()
        let complication = Complication(content: content, isRedacted: isRedacted)
        complication.draw(.circular, at: Point(x: 6, y: 6), into: &canvas.framebuffer)
        complication.draw(.corner, at: Point(x: 100, y: 0), into: &canvas.framebuffer)
        complication.draw(.rectangular, at: Point(x: 6, y: 60), into: &canvas.framebuffer)
        complication.draw(.inline, at: Point(x: 6, y: 120), into: &canvas.framebuffer)
        return canvas
    }

    private func items(_ remaining: UInt32, _ total: UInt32, _ next: String = "Oat milk") -> ComplicationContent {
        .items(remaining: remaining, outOf: total, next: Canvas.title(next))
    }

    @Test func `a list has a ring, its count and the next title`() throws {
        try GoldenImage.expect(families(items(7, 20)), "complication-items")
        try GoldenImage.expect(
            families(items(1, 1, "Coffee beans (dark roast), whole")), "complication-items-full-ring")
        try GoldenImage.expect(families(items(9_999, 10_000, "Żółty ser")), "complication-items-many")
        try GoldenImage.expect(families(items(.max, 0, "")), "complication-items-most")
    }

    @Test func `an entry that is no list has a shape of its own`() throws {
        try GoldenImage.expect(families(.text(Canvas.title("Crème fraîche"))), "complication-text")
        try GoldenImage.expect(families(.lastTrip(secondsAgo: 18_000)), "complication-last-trip")
        try GoldenImage.expect(families(.date(LocalTime(seconds: 1_763_629_260))), "complication-date")
        try GoldenImage.expect(families(.placeholder), "complication-placeholder")
    }

    @Test func `redacted entries look like placeholders`() {
        let placeholder = families(.placeholder).bytes
        for entry in [
            items(7, 20), .text(Canvas.title("Call Ann")), .lastTrip(secondsAgo: 18_000),
            .date(LocalTime(seconds: 86_400)),
        ]
            as [ComplicationContent]
        {
            #expect(families(entry, isRedacted: true).bytes == placeholder)
        }
    }

    @Test(arguments: [ComplicationFamily.circular, .corner, .rectangular, .inline])
    func `any entry stays within its family's size and covers the one before`(family: ComplicationFamily) {
        var random = CanvasRandom()
        let origin = Point(x: 5, y: 50)
        let area = Rect(x: 5, y: 50, width: family.size.x, height: family.size.y)
        var before: ComplicationContent = .placeholder
        for round in 0..<TestLevel.rounds(20, nightly: 100) {
            let title = Canvas.title(bytes: random.text(upTo: 40))
            let content: ComplicationContent =
                switch round % 4 {
                case 0:
                    .items(
                        remaining: UInt32(random.int(0...100_000)), outOf: UInt32(random.int(0...100_000)), next: title)
                case 1: .text(title)
                case 2: .lastTrip(secondsAgo: UInt32(random.int(0...4_000_000_000)))
                case _: .date(LocalTime(seconds: UInt32(random.int(0...4_000_000_000))))
                }
            let blank = Canvas()
            Complication(content: content).draw(family, at: origin, into: &blank.framebuffer)
            let used = Canvas()
            Complication(content: before).draw(family, at: origin, into: &used.framebuffer)
            Complication(content: content).draw(family, at: origin, into: &used.framebuffer)
            before = content
            #expect(blank.bytes == used.bytes, random.replay)
            // The pixels around the complication do not change.
            let white = Canvas()
            white.framebuffer.fill(.panel)
            Complication(content: content).draw(family, at: origin, into: &white.framebuffer)
            for y in 0..<168 {
                for x in 0..<144 where !area.contains(x: x, y: y) {
                    #expect(!blank.isLit(x, y) && white.isLit(x, y), random.replay)
                }
            }
        }
    }
}
