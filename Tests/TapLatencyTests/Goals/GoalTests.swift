import TapLatency
import Testing
import Watch
import WatchLink

/// What the lab itself is to show: exact, on the watch's own clock.
@Suite struct GoalTests {
    @Test func `Stages that are off cost nothing against a handler without stages`() throws {
        let report = try Lab(taps: 20, steps: 1...2).run()
        let empty = try #require(report.steps.first?.marks)
        let off = try #require(report.steps.last?.marks)
        for mark in [LatencyMark.handled, .updated] {
            let one = Double(try #require(empty[mark]).p50)
            let two = Double(try #require(off[mark]).p50)
            #expect(abs(two - one) <= one * 0.01, "\(mark)")
        }
    }

    @Test func `Shipping's update and removal do not grow with the list`() throws {
        let reports = try [8, 32, 128].map { try measure(ShippingHandler(), items: $0, taps: 40) }
        try equalWithinTwoPercent(reports)
    }

    @Test func `Shipping's update and removal do not feel the air`() throws {
        let reports = try [0, 0.25, 0.5, 0.75, 1].map { try measure(ShippingHandler(), taps: 40, loss: $0) }
        try equalWithinTwoPercent(reports)
    }

    private func equalWithinTwoPercent(_ reports: [TapReport]) throws {
        for mark in [LatencyMark.updated, .settled] {
            for percentile in [\Distribution.p50, \.p99] {
                let times = try reports.map { Double(try #require($0.marks[mark])[keyPath: percentile]) }
                let least = try #require(times.min())
                let most = try #require(times.max())
                #expect(most <= least * 1.02, "\(mark): \(times)")
            }
        }
    }
}
