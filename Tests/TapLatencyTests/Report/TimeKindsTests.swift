import Foundation
import Testing
import Watch

@testable import TapLatency

@Suite struct TimeKindsTests {
    @Test func `A report that knows no waiting for the window is read, with that time in the radio's`() throws {
        let old = #"{"processor":1,"panel":2,"flash":3,"haptic":4,"radio":50,"phone":6}"#
        let kinds = try JSONDecoder().decode(TimeKinds.self, from: Data(old.utf8))
        #expect(kinds.radio == 50)
        #expect(kinds.window == 0)
        #expect(kinds.total == 66)
    }

    @Test func `The kinds of a stage that waits for the phone add up to its time, and most of it is no air`() throws {
        let report = try measure(LegacyHandler(), taps: 1)
        for stage in report.stages { #expect(UInt64(stage.mean.total) == stage.time.max, "\(stage.name)") }
        let message = try #require(report.stages.first { $0.name == "message to the phone" })
        #expect(message.mean.window > message.mean.radio)
        // Two short packets of less than a millisecond each, one in each direction.
        #expect(message.mean.radio > 0 && message.mean.radio < 2_000)
    }
}
