import Testing

@testable import Watch

@Suite struct TimeDigitsTests {
    private func drawn(_ seconds: UInt32?, ink: Ink = .white) -> Canvas {
        let canvas = Canvas()
        canvas.framebuffer.fill(.panel, ink == .white ? .black : .white)
        let fields = seconds.map { ShownDigits(hour: Int($0 / 3_600 % 24), minute: Int($0 / 60 % 60)) }
        TimeDigits.draw(fields, at: Point(x: 9, y: 60), ink: ink, into: &canvas.framebuffer)
        return canvas
    }

    @Test func staysWithinItsWidthAndHeight() throws {
        for minute in 0..<60 {
            let area = try #require(drawn(UInt32(minute) * 60 + UInt32(minute % 24) * 3_600).litArea)
            #expect(area.left >= 9 && area.right <= 9 + TimeDigits.width)
            #expect(area.top >= 60 && area.bottom <= 60 + TimeDigits.height)
        }
    }

    @Test func everyMinuteOfADayLooksDifferent() {
        let pictures = (0..<1_440).map { drawn(UInt32($0) * 60).bytes }
        #expect(Set(pictures).count == 1_440)
    }

    @Test func noTimeIsFourDashes() {
        #expect(drawn(nil).bytes != drawn(0).bytes)
        #expect(!drawn(nil).isLit(9 + 13, 62))
    }

    @Test func blackDigitsAreTheNegative() {
        #expect(drawn(45_296, ink: .black).bytes == drawn(45_296).bytes.map { ~$0 })
    }
}
