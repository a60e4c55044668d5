import TapLatency
import Testing
import Watch
import WatchLink

@Suite struct StageGuardTests {
    private let limits = StageLimits(waiting: .seconds(10), computing: 1, blocked: 30)

    @Test func `A stage that traps is told by its name`() {
        #expect(throws: TapLatencyError.stageTrapped("trapping")) {
            try measure(ShippingAfter<TrappingStage>(), taps: 5, limits: limits)
        }
    }

    @Test func `A stage that runs out of stack is told by its name`() {
        #expect(throws: TapLatencyError.stageTrapped("recursing")) {
            try measure(ShippingAfter<RecursingStage>(), taps: 1, limits: limits)
        }
    }

    @Test func `A stage that computes for ever is told by its name`() {
        #expect(throws: TapLatencyError.stageNeverReturned("spinning", .computed(seconds: 1))) {
            try measure(ShippingAfter<SpinningStage>(), taps: 1, limits: limits)
        }
    }

    @Test func `A stage that waits for ever is told by its name`() {
        #expect(throws: TapLatencyError.stageNeverReturned("waiting", .waited(.seconds(10)))) {
            try measure(ShippingAfter<WaitingStage>(), taps: 1, limits: limits)
        }
    }

    @Test func `A measurement after such a stage is as good as one before it`() throws {
        let before = try measure(ShippingHandler(), taps: 3)
        #expect(throws: TapLatencyError.self) { try measure(ShippingAfter<TrappingStage>(), taps: 5) }
        #expect(try measure(ShippingHandler(), taps: 3) == before)
    }
}
