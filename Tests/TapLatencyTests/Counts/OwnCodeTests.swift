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
        _ handler: Handler, immediate: Int, deferred: Int, stages: [StageCount]? = nil
    ) -> Conditions {
        func count(_ placement: StagePlacement, _ cycles: Int) -> StageCount {
            StageCount(name: "", placement: placement, cases: [Self.stageCase(cycles)])
        }
        let counts = HandlerCounts(
            profile: .memoryLCD, places: [], sources: ["a": 1],
            handlers: [
                HandlerCount(
                    name: String(reflecting: Handler.self), stages: stages ?? Self.listed(handler),
                    around: [count(.immediate, immediate), count(.deferred, deferred)], stackBytes: 1)
            ])
        var conditions = Conditions(items: 20, taps: 3)
        conditions.counts = counts
        return conditions.of(handler)
    }

    /// What counting finds of a handler that runs the stages that it lists, once each.
    private static func listed(_ handler: some TapHandler) -> [StageCount] {
        (StageSequence(of: handler)?.stages ?? []).map {
            StageCount(name: $0.name, placement: $0.placement, cases: [stageCase(100)])
        }
    }

    private static func stageCase(_ cycles: Int) -> StageCase {
        StageCase(
            items: 32, titles: .long, runs: 1, instructions: Double(cycles), cycles: Double(cycles),
            mostInstructions: cycles,
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
        // 6,400,000 cycles of 64 MHz. A tap begins at any part of a microsecond, and so may what follows it: two may be over.
        let delayed = try update(6_400_000, 0)
        #expect((alone + 99_998...alone + 100_002).contains(delayed), "\(delayed) after \(alone)")
        #expect((alone - 1...alone + 1).contains(try update(0, 6_400_000)))
    }

    private static func pair(_ next: some TapHandler) -> some TapHandler {
        TapHandlerBuilder.buildPartialBlock(accumulated: Immediate(Haptic.self), next: next)
    }

    @Test func `compositions and Tapline's own handlers have no code of their own`() {
        let conditions = Conditions(items: 20, taps: 1)
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
        other.counts?.processor.flashWaitStates += 1
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

    @Test func `a handler that has run other stages than it lists, or one more often, keeps no budget`() throws {
        func ownCode(_ change: (inout [StageCount]) -> Void) -> OwnCode {
            var stages = Self.listed(Plain())
            change(&stages)
            return conditions(Plain(), immediate: 0, deferred: 0, stages: stages).ownCode
        }
        guard case .counted = ownCode({ _ in }) else {
            Issue.record("it runs what it lists")
            return
        }
        #expect(
            ownCode { $0.append(StageCount(name: "x", placement: .immediate, cases: $0[0].cases)) } == .runsOtherStages)
        #expect(ownCode { $0[0].placement = .deferred } == .runsOtherStages)
        #expect(ownCode { $0[0].cases[0].runs = 2_000 } == .runsOtherStages)
        #expect(ownCode { $0.removeLast() } == .runsOtherStages)
        let own = ownCode { $0.removeLast() }
        #expect(own.reason?.contains("tapline lab --package") == true)
    }

    private enum Two: TapHandler {
        case first, second
        var deferredCount: Int { 0 }
        func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
        func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    @Test func `a handler of several values is not the one that was counted`() {
        #expect(conditions(Two.second, immediate: 1, deferred: 1).ownCode == .dependsOnValue)
    }

    private struct Generic<Number>: TapStage {
        static var name: StaticString { "generic" }
        static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    @Test func `a generic stage is charged as in its own handler, and in no other's`() throws {
        let stage = StageCount(name: "generic", placement: .immediate, cases: [Self.stageCase(640)])
        let known = conditions(Opaque(), immediate: 0, deferred: 0, stages: [stage])
        let sequence = known.of(StageSequence([.immediate(Generic<Int>.self)]))
        #expect(try sequence.table(for: [.immediate(Generic<Int>.self)], remaining: 20).stages["generic"] == nil)
        #expect(try known.table(for: [.immediate(Generic<Int>.self)], remaining: 20).stages["generic"] != nil)
    }

    @Test func `a budget that the handler's own code breaks names that code`() throws {
        let report = try Measurement.report(
            Plain(), called: "plain", under: conditions(Plain(), immediate: 6_400_000, deferred: 0))
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .milliseconds(8)) }
        #expect(error?.description.hasSuffix("the code around its stages takes 100 ms of it") == true)
    }
}
