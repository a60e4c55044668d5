import Testing
import WatchLink

@testable import Wormhole

@Suite struct DoublingPauseTests {
    @Test func `Pauses double up to the longest, and a success starts them again`() {
        var backoff = DoublingPause(shortest: .milliseconds(100), longest: .seconds(1))
        let pauses = (0..<6).map { _ in backoff.failed().count / 1_000 }
        #expect(pauses == [100, 200, 400, 800, 1_000, 1_000])
        backoff.succeeded()
        #expect(backoff.failed() == .milliseconds(100))
    }
}
