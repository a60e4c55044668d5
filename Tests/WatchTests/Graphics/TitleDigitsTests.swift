import Testing
import WatchLink

@testable import Watch

@Suite struct TitleDigitsTests {
    private static let right = 90
    private static let baseline = 40

    private let memory = PartMemory()

    /// A canvas of the ink that is not `ink`, with a number as text.
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
