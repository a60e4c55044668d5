import Testing

@testable import TapLatency

@Suite struct StageTimelineTests {
    @Test func `Each stage begins as the one before it ends, the deferred ones once the panel is updated`() {
        let timeline = StageTimeline(.shippingSample)
        for (span, next) in zip(timeline.spans, timeline.spans.dropFirst()) where next.work != .transfer {
            #expect(abs(span.end - next.begin) < 1e-6)
        }
        #expect(timeline.spans.prefix(3).map(\.name) == ["list model", "row removal", "lines to the panel"])
        #expect(timeline.spans[2].end == timeline.updated)
        #expect(timeline.spans[3].begin == timeline.updated)
    }

    @Test func `The lines to the panel take what lies between the handler's return and the update`() throws {
        for report in [TapReport.shippingSample, .legacySample] {
            let transfer = try #require(StageTimeline(report).spans.first { $0.work == .transfer })
            let updated = try #require(report.marks.updated?.p50)
            let handled = try #require(report.marks.handled?.p50)
            #expect(transfer.kinds == TimeKinds(panel: Double(updated - handled)))
        }
        // Stages whose means add up to more than the median until the update, as those of few taps may.
        var report = TapReport.legacySample
        report.stages[0].mean.flash += 1_000_000
        #expect(StageTimeline(report).spans.last?.kinds == TimeKinds(panel: 3_311_820 - 3_309_412))
    }

    @Test func `The longest stage is found`() {
        #expect(StageTimeline(.legacySample).longest?.work == .stage("complication", .immediate))
        #expect(StageTimeline(.shippingSample).longest?.work == .transfer)
    }

    @Test func `Without an update there are no lines to the panel`() {
        var report = TapReport.shippingSample
        report.marks.updated = nil
        let timeline = StageTimeline(report)
        #expect(timeline.spans.count == report.stages.count)
        #expect(timeline.updated == nil)
    }
}
