import Testing
import Watch
import WatchLink

@testable import TapLatency

@Suite struct BudgetTests {
    @Test func `A budget that is not kept is reported with the stage that takes most`() throws {
        let report = try measure(ShippingAfter<ComputingStage>(), taps: 3)
        #expect(!report.keeps(.updated, within: .milliseconds(8)))
        #expect(report.keeps(.updated, within: .milliseconds(16)))
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .milliseconds(8)) }
        #expect(
            error?.description.contains("8.00 ms are allowed: stage 'computing' takes 15.0 ms of it, 100 % CPU") == true
        )
    }

    @Test func `A stage that begins after a mark is not to blame for it`() {
        // The record is in flash long before the complication is looked after.
        #expect(TapReport.legacySample.slowestStage(until: .durable)?.name == "sorting database")
        #expect(TapReport.legacySample.slowestStage(until: .updated)?.name == "complication")
        #expect(TapReport.shippingSample.slowestStage(until: .updated)?.name == "row removal")
    }

    @Test func `A row that goes waits for a deferred stage that is longer than the row stays struck`() {
        var report = TapReport.shippingSample
        #expect(report.slowestStage(until: .settled)?.name == "row removal")
        report.stages[3].mean.flash = 400_000
        report.stages[3].time = .around(400_000)
        #expect(report.slowestStage(until: .settled)?.name == "message to the phone")
    }

    @Test func `A mark that some taps never reached is reported with their number`() {
        var report = TapReport.shippingSample
        report.marks.settled = Distribution(p50: 12, p90: 12, p99: 12, max: 12, count: 150)
        #expect(throws: TapLatencyError.budgetExceeded("handler 'shipping' is settled after only 150 of 200 taps")) {
            try report.require(.settled, within: .seconds(9))
        }
    }

    @Test func `A mark that is never reached has no time`() throws {
        let report = try measure(StageSequence([.immediate(Haptic.self)]), taps: 2, name: "haptic alone")
        #expect(!report.keeps(.settled, within: .seconds(9)))
        #expect(throws: TapLatencyError.markNotReached(.settled, handler: "haptic alone")) {
            try report.require(.settled, within: .seconds(9))
        }
    }
}
