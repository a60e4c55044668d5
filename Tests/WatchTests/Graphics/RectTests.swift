import Foundation
import Testing

@testable import Watch

struct RectTests {
    @Test func `edges and sizes agree`() {
        let rect = Rect(x: -3, y: 4, width: 10, height: 20)
        #expect(rect == Rect(left: -3, top: 4, right: 7, bottom: 24))
        #expect(rect.width == 10 && rect.height == 20 && !rect.isEmpty)
        #expect(rect.contains(x: -3, y: 4) && rect.contains(x: 6, y: 23))
        #expect(!rect.contains(x: 7, y: 4) && !rect.contains(x: -3, y: 24) && !rect.contains(x: -4, y: 4))
    }

    @Test func `a rectangle that is inside out is empty`() {
        let rect = Rect(left: 5, top: 5, right: 2, bottom: 9)
        #expect(rect.isEmpty && rect.width == 0)
    }

    @Test func `an intersection has the pixels of both`() {
        let both = Rect(x: 0, y: 0, width: 10, height: 10).intersection(Rect(x: 6, y: -5, width: 10, height: 8))
        #expect(both == Rect(left: 6, top: 0, right: 10, bottom: 3))
        #expect(Rect(x: 0, y: 0, width: 2, height: 2).intersection(Rect(x: 5, y: 0, width: 2, height: 2)).isEmpty)
    }
}

struct SweepTests {
    @Test func `a sweep is the angle of its fraction`() {
        for part in UInt32(1)..<360 {
            let sweep = Sweep(part, of: 360)
            let angle = Double(part) / 180 * .pi
            #expect(abs(Double(sweep.x) / Double(Sweep.unit) - sin(angle)) < 0.012)
            #expect(abs(Double(sweep.y) / Double(Sweep.unit) + cos(angle)) < 0.012)
        }
    }

    @Test func `a sweep contains what comes before its end`() {
        let third = Sweep(1, of: 3)
        #expect(third.contains(x: 10, y: -1) && third.contains(x: 10, y: 5))
        #expect(!third.contains(x: 1, y: 10) && !third.contains(x: -10, y: 0))
        let most = Sweep(11, of: 12)
        #expect(most.contains(x: -10, y: 0) && !most.contains(x: -1, y: -10))
    }

    @Test func `more than the whole, or nothing of nothing, is a full turn`() {
        #expect(Sweep(7, of: 5).isFull && Sweep(5, of: 5).isFull && Sweep(0, of: 0).isFull && Sweep.full.isFull)
        #expect(Sweep(0, of: 5).isNone && !Sweep(0, of: 5).contains(x: 1, y: 0))
        #expect(Sweep(.max, of: .max).isFull)
        #expect(Sweep(1 << 31, of: .max) == Sweep(1, of: 2))
    }
}
