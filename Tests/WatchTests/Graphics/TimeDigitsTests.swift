import Testing
import WatchLink

@testable import Watch

struct TimeDigitsTests {
    private func drawn(_ seconds: UInt32?, ink: Ink = .white) -> Canvas {
        let canvas = Canvas()
        canvas.framebuffer.fill(.panel, ink == .white ? .black : .white)
        let fields = seconds.map { ShownDigits(hour: Int($0 / 3_600 % 24), minute: Int($0 / 60 % 60)) }
        TimeDigits.draw(fields, at: Point(x: 9, y: 60), ink: ink, into: &canvas.framebuffer)
        return canvas
    }

    @Test func `the digits stay within their width and height`() throws {
        for minute in 0..<60 {
            let area = try #require(drawn(UInt32(minute) * 60 + UInt32(minute % 24) * 3_600).litArea)
            #expect(area.left >= 9 && area.right <= 9 + TimeDigits.width)
            #expect(area.top >= 60 && area.bottom <= 60 + TimeDigits.height)
        }
    }

    @Test func `every minute of a day looks different`() {
        let pictures = (0..<1_440).map { drawn(UInt32($0) * 60).bytes }
        #expect(Set(pictures).count == 1_440)
    }

    @Test func `no time is four dashes`() {
        #expect(drawn(nil).bytes != drawn(0).bytes)
        #expect(!drawn(nil).isLit(9 + 13, 62))
    }

    @Test func `black digits are the negative of white ones`() {
        #expect(drawn(45_296, ink: .black).bytes == drawn(45_296).bytes.map { ~$0 })
    }
}

struct TitleDigitsTests {
    private static let right = 90
    private static let baseline = 40

    private let memory = PartMemory()

    private func text(_ number: UInt32, _ ink: Ink) -> Canvas {
        let canvas = ground(for: ink)
        let text = ShortText(number)
        canvas.framebuffer.draw(text.utf8, .title, endingAt: Self.right, baseline: Self.baseline, ink: ink)
        return canvas
    }

    private func ground(for ink: Ink) -> Canvas {
        let canvas = Canvas()
        canvas.framebuffer.fill(.panel, ink == .white ? .black : .white)
        return canvas
    }

    private func digits() -> TitleDigits {
        var arena = memory.arena
        return TitleDigits(arena: &arena)
    }

    @Test(arguments: [Ink.white, .black]) func `a number looks like its text in the title font`(ink: Ink) {
        let digits = digits()
        let numbers: [UInt32] = [200, 909, 1_000, 1_234, 5_678, 9_999, 10_000, 11_111, 56_789, 99_999]
        for number in (0...120) + numbers {
            let canvas = ground(for: ink)
            digits.draw(number, endingAt: Self.right, baseline: Self.baseline, ink: ink, into: &canvas.framebuffer)
            #expect(canvas.bytes == text(number, ink).bytes, "\(number)")
        }
    }

    @Test func `drawn with the ink of the ground a number is gone`() {
        let digits = digits()
        for number in [0, 7, 31, 128, 99_999] as [UInt32] {
            let canvas = text(number, .black)
            digits.draw(number, endingAt: Self.right, baseline: Self.baseline, ink: .white, into: &canvas.framebuffer)
            #expect(canvas.bytes == ground(for: .black).bytes, "\(number)")
        }
    }
}
