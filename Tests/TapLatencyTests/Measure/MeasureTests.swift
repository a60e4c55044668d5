import DeviceModel
import Testing
import Watch
import WatchLink

@testable import TapLatency

@Suite struct MeasureTests {
    @Test func `Every tap of the shipping handler reaches every mark`() throws {
        let report = try measure(ShippingHandler(), taps: 20)
        for mark in LatencyMark.allCases { #expect(report.marks[mark]?.count == 20, "\(mark)") }
        #expect(report.handler == "shipping")
        #expect(report.profile == "memory-lcd")
        #expect(report.dirtyLines.update == 2)
        #expect(report.panelFloor.updated == Distribution(p50: 305, p90: 305, p99: 305, max: 305, count: 20))
    }

    @Test func `The legacy handler reaches every mark, too`() throws {
        let report = try measure(LegacyHandler(), taps: 20)
        for mark in LatencyMark.allCases { #expect(report.marks[mark]?.count == 20, "\(mark)") }
    }

    @Test func `No tap falls on a row that is struck already`() throws {
        // Neither the list model nor the row removal takes the row away: a second strike would draw nothing.
        let report = try measure(StageSequence([.immediate(StrikeThrough.self)]), taps: 30)
        #expect(report.dirtyLines.update == 2)
        let updated = try #require(report.marks.updated)
        #expect(updated.count == 30)
        #expect(updated.p50 >= (try #require(report.panelFloor.updated)).p50)
        #expect(report.panelFloor.settled == nil)
    }
}
