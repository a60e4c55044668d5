import TapLatency
import Testing
import Watch
import WatchLink

@Suite struct StageGuardTests {
    private let limits = StageLimits(waiting: .seconds(10), computing: 1, blocked: 30)

    @Test func `A stage that traps is named`() {
        #expect(throws: TapLatencyError.stageTrapped("trapping")) {
            try measure(ShippingAfter<TrappingStage>(), taps: 5, limits: limits)
        }
    }

    @Test func `A stage that runs out of stack is named`() {
        #expect(throws: TapLatencyError.stageTrapped("recursing")) {
            try measure(ShippingAfter<RecursingStage>(), taps: 1, limits: limits)
        }
    }

    @Test func `A stage that computes for ever is named`() {
        #expect(throws: TapLatencyError.stageNeverReturned("spinning", .computed(seconds: 1))) {
            try measure(ShippingAfter<SpinningStage>(), taps: 1, limits: limits)
        }
    }

    @Test func `A stage that waits for ever is named`() {
        #expect(throws: TapLatencyError.stageNeverReturned("waiting", .waited(.seconds(10)))) {
            try measure(ShippingAfter<WaitingStage>(), taps: 1, limits: limits)
        }
    }

    @Test func `A measurement after such a stage is as good as one before it`() throws {
        let before = try measure(ShippingHandler(), taps: 3)
        #expect(throws: TapLatencyError.self) { try measure(ShippingAfter<TrappingStage>(), taps: 5) }
        #expect(try measure(ShippingHandler(), taps: 3) == before)
    }

    @Test func `A stage that blocks for ever is named`() {
        let limits = StageLimits(waiting: .seconds(10), computing: 1, blocked: 3)
        #expect(throws: TapLatencyError.stageNeverReturned("blocking", .blocked(seconds: 3))) {
            try measure(ShippingAfter<BlockingStage>(), taps: 1, limits: limits)
        }
    }

    @Test func `A stage that ends the program is named, and ends nothing else`() {
        #expect(throws: TapLatencyError.stageTrapped("exiting")) {
            try measure(ShippingAfter<ExitingStage>(), taps: 1, limits: limits)
        }
    }

    @Test func `Measurements may run side by side`() async throws {
        let alone = try measure(ShippingHandler(), items: 8, taps: 1, database: 8)
        try await withThrowingTaskGroup(of: TapReport.self) { group in
            for _ in 0..<24 {
                group.addTask { try measure(ShippingHandler(), items: 8, taps: 1, database: 8) }
            }
            for try await report in group { #expect(report == alone) }
        }
    }
}
