import Testing
import WatchLink

@testable import Wormhole

/// A peer costs a bounded number of lines.
@Suite struct LogRateLimitTests {
    private func minute(_ number: Int) -> Instant { .start + .seconds(60 * UInt32(number)) }

    @Test func `A peer has 240 lines a minute, and the others are counted`() {
        var limit = LogRateLimit()
        let written = (0..<1_000).count { _ in limit.take("a", at: .start).isWritten }
        #expect(written == 240)
        let others = limit.take("b", at: .start)
        #expect(others.isWritten && others.omissions.isEmpty)
        let next = limit.take("b", at: minute(1))
        #expect(next.isWritten)
        #expect(next.omissions == [LogRateLimit.Omission(peer: "a", lines: 760)])
        let again = limit.take("a", at: minute(1))
        #expect(again.isWritten && again.omissions.isEmpty)
    }

    @Test func `All peers together have 1,200, however many there are`() {
        var limit = LogRateLimit()
        let written = (0..<100_000).count { limit.take("\($0)", at: .start).isWritten }
        #expect(written == 1_200)
        #expect(limit.take("0", at: minute(1)).omissions == [LogRateLimit.Omission(peer: nil, lines: 98_800)])
    }

    @Test func `480 warnings are written behind a flood of others`() {
        var limit = LogRateLimit()
        for peer in 0..<2_000 { _ = limit.take("\(peer)", at: .start) }
        let written = (5_000..<7_000).count { limit.take("\($0)", .warning, at: .start).isWritten }
        #expect(written == 480)
    }

    @Test func `An hour of a peer that never stops is 14,400 lines`() {
        var limit = LogRateLimit()
        var written = 0
        for second in UInt32(0)..<3_600 {
            for _ in 0..<350 where limit.take("a", at: .start + .seconds(second)).isWritten { written += 1 }
        }
        #expect(written == 14_400)
    }
}
