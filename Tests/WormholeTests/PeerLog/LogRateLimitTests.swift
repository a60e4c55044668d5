import Testing
import WatchLink

@testable import Wormhole

@Suite struct LogRateLimitTests {
    private func minute(_ number: Int) -> Instant { .start + .seconds(60 * UInt32(number)) }

    @Test func `A peer has 240 lines a minute, and the others are counted`() {
        var budget = LogRateLimit()
        let written = (0..<1_000).count { _ in budget.take("a", at: .start).isWritten }
        #expect(written == 240)
        let others = budget.take("b", at: .start)
        #expect(others.isWritten && others.omissions.isEmpty)
        let next = budget.take("b", at: minute(1))
        #expect(next.isWritten)
        #expect(next.omissions == [LogRateLimit.Omission(peer: "a", lines: 760)])
        let again = budget.take("a", at: minute(1))
        #expect(again.isWritten && again.omissions.isEmpty)
    }

    @Test func `All peers together have 1,200, however many there are`() {
        var budget = LogRateLimit()
        let written = (0..<100_000).count { budget.take("\($0)", at: .start).isWritten }
        #expect(written == 1_200)
        #expect(budget.take("0", at: minute(1)).omissions == [LogRateLimit.Omission(peer: nil, lines: 98_800)])
    }

    @Test func `480 warnings are written behind a flood of others`() {
        var budget = LogRateLimit()
        for peer in 0..<2_000 { _ = budget.take("\(peer)", at: .start) }
        let written = (5_000..<7_000).count { budget.take("\($0)", isWarning: true, at: .start).isWritten }
        #expect(written == 480)
    }
}
