import Testing

@testable import Watch

@Suite struct FramebufferShapesTests {
    @Test(arguments: [1, 2, 5, 6, 44, 59, 60]) func discFillsItsBoxAndIsSymmetric(diameter: Int) {
        let canvas = Canvas()
        canvas.framebuffer.fillDisc(at: Point(x: 20, y: 30), diameter: diameter)
        #expect(canvas.litArea == Rect(x: 20, y: 30, width: diameter, height: diameter))
        for y in 0..<diameter {
            for x in 0..<diameter {
                let pixel = canvas.isLit(20 + x, 30 + y)
                #expect(pixel == canvas.isLit(19 + diameter - x, 30 + y))
                #expect(pixel == canvas.isLit(20 + y, 30 + x))
            }
        }
    }

    @Test(arguments: 1...88) func `a pixel of a disc is lit where its centre is inside the circle`(diameter: Int) {
        let canvas = Canvas()
        canvas.framebuffer.fillDisc(at: Point(x: 20, y: 30), diameter: diameter)
        for y in 0..<diameter {
            for x in 0..<diameter {
                // Twice the distances from the centre, which lies between pixels where the diameter is even.
                let (across, down) = (2 * x - diameter + 1, 2 * y - diameter + 1)
                let isInside = across * across + down * down <= diameter * diameter
                #expect(canvas.isLit(20 + x, 30 + y) == isInside, "(\(x), \(y))")
            }
        }
    }

    @Test func discStaysWithinItsClip() {
        let canvas = Canvas()
        let clip = Rect(x: 100, y: 0, width: 44, height: 44)
        canvas.framebuffer.fillDisc(at: Point(x: 100, y: -44), diameter: 88, clip: clip)
        #expect(canvas.litArea == clip)
        #expect(!canvas.isLit(101, 42))
    }

    @Test func roundedRectangleKeepsItsEdgesAndLosesItsCorners() {
        let canvas = Canvas()
        let rect = Rect(x: 10, y: 10, width: 60, height: 40)
        canvas.framebuffer.fillRounded(rect, radius: 9)
        #expect(canvas.litArea == rect)
        #expect(!canvas.isLit(10, 10) && !canvas.isLit(69, 10) && !canvas.isLit(10, 49) && !canvas.isLit(69, 49))
        #expect(canvas.isLit(40, 10) && canvas.isLit(10, 30))
    }

    @Test func fullRingIsTheDiscWithoutItsMiddle() {
        let canvas = Canvas()
        canvas.framebuffer.drawRing(at: Point(x: 20, y: 20), diameter: 44, thickness: 5)
        let expected = Canvas()
        expected.framebuffer.fillDisc(at: Point(x: 20, y: 20), diameter: 44)
        expected.framebuffer.fillDisc(at: Point(x: 25, y: 25), diameter: 34, .black)
        #expect(canvas.bytes == expected.bytes)
    }

    @Test func ringGrowsClockwiseFromTheTopAndNeverLeavesItsBox() {
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

    @Test func tickIsThreeTimesAsWideAsItsSize() throws {
        let canvas = Canvas()
        canvas.framebuffer.drawTick(at: Point(x: 10, y: 10), size: 8, thickness: 5)
        let area = try #require(canvas.litArea)
        #expect(area.left == 10 && area.width == 25)
        #expect(area.top == 10 && area.bottom == 10 + 16 + 5)
    }
}
