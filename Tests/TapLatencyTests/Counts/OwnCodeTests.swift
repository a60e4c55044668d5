import DeviceModel
import Testing
import Watch
import WatchLink

@testable import TapLatency

/// What a handler computes in none of its stages is charged as it was counted, and is not known where it was not.
struct OwnCodeTests {
    private struct Plain: ComposedTapHandler {
        var stages: some TapHandler {
            Immediate(ListModel.self)
            Immediate(StrikeThrough.self)
            Immediate(RowRemoval.self)
        }
    }

    /// Code in a handler that nobody can take apart.
    private struct Opaque: TapHandler {
        var deferredCount: Int { 0 }

        func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
            Immediate(SlowStage.self).runImmediate(tap, on: &watch)
            StrikeThrough.run(tap, on: &watch)
        }

        func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    private func conditions<Handler: TapHandler>(
        _ handler: Handler, immediate: Int, deferred: Int, stages: [StageCount] = []
    ) -> Conditions {
        func count(_ placement: StagePlacement, _ cycles: Int) -> StageCount {
            StageCount(name: "", placement: placement, cases: [Self.stageCase(cycles)])
        }
        let counts = HandlerCounts(
            profile: "memory-lcd", places: [], sources: ["a": 1],
            handlers: [
                HandlerCount(
                    name: String(reflecting: Handler.self), stages: stages,
                    around: [count(.immediate, immediate), count(.deferred, deferred)], stackBytes: 1)
            ])
        return Conditions(
            profile: .memoryLCD, items: 20, taps: 3, seed: 1, database: 2_000, counts: counts
        ).of(handler)
    }

    private static func stageCase(_ cycles: Int) -> StageCase {
        StageCase(
            items: 32, titles: .long, instructions: Double(cycles), cycles: Double(cycles), mostInstructions: cycles,
            mostCycles: cycles, allowedCycles: cycles...cycles)
    }

    @Test func `what comes before the update delays it, and what comes after it does not`() throws {
        func update(_ immediate: Int, _ deferred: Int) throws -> UInt64 {
            let report = try Measurement.report(
                Plain(), called: "plain", under: conditions(Plain(), immediate: immediate, deferred: deferred))
            #expect(report.ownCode == .counted)
            return try #require(report.marks.updated).p50
        }
        let alone = try update(0, 0)
        // 6,400,000 cycles of 64 MHz.
        #expect(try update(6_400_000, 0) == alone + 100_000)
        #expect(try update(0, 6_400_000) == alone)
    }

    private static func pair(_ next: some TapHandler) -> some TapHandler {
        TapHandlerBuilder.buildPartialBlock(accumulated: Immediate(Haptic.self), next: next)
    }

    @Test func `compositions and Tapline's own handlers have no code of their own`() {
        let conditions = Conditions(profile: .memoryLCD, items: 20, taps: 1, seed: 1, database: 2_000)
        #expect(conditions.of(ShippingHandler()).ownCode == .none)
        #expect(conditions.of(LegacyHandler()).ownCode == .none)
        #expect(conditions.of(StageSequence([.immediate(SlowStage.self)])).ownCode == .none)
        #expect(conditions.of(Self.pair(NoStages())).ownCode == .none)
        #expect(conditions.of(Plain()).ownCode == .notCounted)
        #expect(conditions.of(Self.pair(Plain())).ownCode == .notCounted)
    }

    @Test func `a handler that nobody has counted keeps no budget`() throws {
        let report = try measure(Plain(), taps: 1)
        #expect(report.ownCode == .notCounted)
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .seconds(60)) }
        #expect(error?.description.hasPrefix("handler 'plain' may compute something around its stages") == true)
        try measure(try #require(StageSequence(of: Plain())), taps: 1).require(.updated, within: .milliseconds(8))
    }

    @Test func `counts of another processor are not of this one`() {
        var other = conditions(Plain(), immediate: 1, deferred: 1)
        other.counts?.profile = "mine.toml"
        #expect(other.of(Plain()).ownCode == .notCounted)
    }

    @Test func `a handler that cannot be taken apart takes its own code and the stages that were counted in it`() throws
    {
        let slow = StageCount(name: "slow", placement: .immediate, cases: [Self.stageCase(640_000)])
        let counted = try Measurement.report(
            Opaque(), called: "opaque", under: conditions(Opaque(), immediate: 64_000, deferred: 0, stages: [slow]))
        #expect(counted.processor == .counted)
        let time = try #require(counted.marks.updated).p50
        let bare = try Measurement.report(
            Opaque(), called: "opaque", under: conditions(Opaque(), immediate: 0, deferred: 0, stages: []))
        #expect(time == (try #require(bare.marks.updated).p50) + 11_000)
        #expect(bare.stages.first?.instructionCount == .notCounted)
        #expect(throws: TapLatencyError.self) { try bare.require(.updated, within: .seconds(60)) }
        try counted.require(.updated, within: .milliseconds(60))
    }
}
