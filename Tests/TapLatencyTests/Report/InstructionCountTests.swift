import Testing
import Watch
import WatchLink

@testable import TapLatency

/// A stage whose instructions nobody has counted says so wherever its time is shown.
@Suite struct InstructionCountTests {
    private let remark = "CPU not counted"

    @Test func `A stranger's stage is reported as not counted, unless it or whoever measures gives a count`() throws {
        let stranger = try measure(ShippingAfter<SlowStage>(), taps: 3)
        #expect(stranger.stages.first { $0.name == "slow" }?.instructionCount == .notCounted)
        #expect(stranger.stages.filter { $0.instructionCount == .notCounted }.count == 1)
        let told = try measure(ShippingAfter<SlowStage>(), taps: 3, instructions: ["slow": 100])
        #expect(told.stages.allSatisfy { $0.instructionCount == .counted })
        let counted = try measure(ShippingAfter<ComputingStage>(), taps: 3)
        #expect(counted.stages.allSatisfy { $0.instructionCount == .counted })
    }

    @Test func `JSON, trace and errors say it`() throws {
        let report = try measure(ShippingAfter<SlowStage>(), taps: 3)
        #expect(String(decoding: report.json, as: UTF8.self).contains(#""instructionCount" : "not counted""#))
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .milliseconds(1)) }
        // An unknown time keeps no budget, however long that is.
        #expect(error?.description.hasPrefix("stage 'slow' takes a time that is not known: ") == true)
        #expect(error?.description.contains("tapline count") == true)
        #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .seconds(60)) }
        let spans = try TapTrace(of: ShippingAfter<SlowStage>(), under: Conditions(taps: 1)).spans
        #expect(spans.contains { $0.name == "slow (\(remark))" })
    }

    /// It is called as a stage of Tapline's, and is not that one.
    private struct Impostor: TapStage {
        static var name: StaticString { Haptic.name }

        static func run<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    @Test func `A stranger's stage with the name of one of Tapline's is not charged as that one`() throws {
        let report = try measure(
            StageSequence([.immediate(ListModel.self), .immediate(StrikeThrough.self), .deferred(Impostor.self)]),
            taps: 1)
        #expect(report.stages.last?.instructionCount == .notCounted)
        #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .seconds(60)) }
    }

    /// It has no stages that anybody could tell apart.
    private struct Whole: TapHandler {
        var deferredCount: Int { 0 }

        func runImmediate<B: Board & ~Copyable>(_ tap: Tap, on watch: inout WatchCore<B>) {
            StrikeThrough.run(tap, on: &watch)
        }

        func runDeferred<B: Board & ~Copyable>(_ index: Int, _ tap: Tap, on watch: inout WatchCore<B>) {}
    }

    @Test func `A handler without stages keeps no budget, because nobody knows what it executes`() throws {
        let report = try measure(Whole(), taps: 1)
        #expect(report.processor == .unknown)
        let error = #expect(throws: TapLatencyError.self) { try report.require(.updated, within: .seconds(60)) }
        #expect(error?.description.hasPrefix("handler 'whole' takes a time that is not known: ") == true)
    }
}
