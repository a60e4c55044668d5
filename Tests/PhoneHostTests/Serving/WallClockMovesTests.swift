import Testing
import WatchLink

@testable import PhoneHost

@Suite struct WallClockMovesTests {
    /// Returns the indices of the looks at which `WallClockMoves` finds that the wall clock was set. Each look has a
    /// reading of the wall clock (`shown`), and the number of seconds since the first look (`at`).
    private func moves(_ looks: [(shown: UInt32, at: UInt32)]) -> [Int] {
        var clock = WallClockMoves()
        return looks.indices.filter { clock.hasMoved(to: looks[$0].shown, at: .start + .seconds(looks[$0].at)) }
    }

    @Test func `a clock that goes on by itself has not moved`() {
        let seconds = (0..<200 as Range<UInt32>).map { (shown: 1_000_000 + $0, at: $0) }
        // The last reading is after the machine has slept for 30,000 seconds.
        #expect(moves(seconds + [(1_030_199, 30_199)]).isEmpty)
    }

    @Test(arguments: [-3_600, 3_600, -62, 62]) func `a clock that is set has, once`(seconds: Int) {
        #expect(moves([(1_000_000, 0), (UInt32(1_000_001 + seconds), 1), (UInt32(1_000_002 + seconds), 2)]) == [1])
    }

    @Test func `an adjustment of seconds is none that matters`() {
        #expect(moves([(1_000_000, 0), (999_950, 1)]).isEmpty)
    }

    @Test func `at the ends of the calendar nothing overflows`() {
        #expect(moves([(0, 0), (.max, 1), (0, 2)]) == [1, 2])
    }
}
