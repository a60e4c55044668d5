import Foundation
import Testing

@testable import Watch

@Suite struct SweepTests {
    @Test func isTheAngleOfTheFraction() {
        for part in UInt32(1)..<360 {
            let sweep = Sweep(part, of: 360)
            let angle = Double(part) / 180 * .pi
            #expect(abs(Double(sweep.x) / Double(Sweep.unit) - sin(angle)) < 0.012)
            #expect(abs(Double(sweep.y) / Double(Sweep.unit) + cos(angle)) < 0.012)
        }
    }

    @Test func containsWhatComesBeforeItsEnd() {
        let third = Sweep(1, of: 3)
        #expect(third.contains(x: 10, y: -1) && third.contains(x: 10, y: 5))
        #expect(!third.contains(x: 1, y: 10) && !third.contains(x: -10, y: 0))
        let most = Sweep(11, of: 12)
        #expect(most.contains(x: -10, y: 0) && !most.contains(x: -1, y: -10))
    }

    @Test func tooMuchIsAllAndNothingOfNothingToo() {
        #expect(Sweep(7, of: 5).isFull && Sweep(5, of: 5).isFull && Sweep(0, of: 0).isFull && Sweep.full.isFull)
        #expect(Sweep(0, of: 5).isNone && !Sweep(0, of: 5).contains(x: 1, y: 0))
        #expect(Sweep(.max, of: .max).isFull)
        #expect(Sweep(1 << 31, of: .max) == Sweep(1, of: 2))
    }
}
