import TapLatency
import Testing
import Watch
import WatchLink

@Suite struct BudgetTests {
    @Test func `A budget that is not kept is told with the stage that takes most`() throws {
        let report = try measure(ShippingAfter<ComputingStage>(), taps: 3)
        #expect(!report.keeps(.updated, within: .milliseconds(8)))
        #expect(report.keeps(.updated, within: .milliseconds(13)))
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .milliseconds(8)) }
        #expect(
            error?.description.contains("8.00 ms are allowed: stage 'computing' takes 12.5 ms of it, 100 % CPU") == true
        )
    }

    @Test func `A mark that is never reached has no time`() throws {
        let report = try measure(StageSequence([.immediate(Haptic.self)]), taps: 2, name: "haptic alone")
        #expect(!report.keeps(.settled, within: .seconds(9)))
        #expect(throws: TapLatencyError.markNotReached(.settled, handler: "haptic alone")) {
            try report.require(.settled, within: .seconds(9))
        }
    }
}
