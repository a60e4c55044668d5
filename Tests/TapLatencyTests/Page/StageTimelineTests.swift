import Testing

@testable import TapLatency

@Suite struct StageTimelineTests {
    @Test func `Each stage begins as the one before it ends, the deferred ones once the panel is updated`() {
        let timeline = StageTimeline(.shippingSample)
        for (span, next) in zip(timeline.spans, timeline.spans.dropFirst()) {
            #expect(abs(span.end - next.begin) < 1e-6)
        }
        #expect(timeline.spans.prefix(3).map(\.name) == ["list model", "row removal", "lines to the panel"])
        #expect(timeline.spans[2].end == timeline.updated)
        #expect(timeline.spans[3].begin == timeline.updated)
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
