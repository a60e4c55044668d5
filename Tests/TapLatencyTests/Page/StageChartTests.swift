import Testing

@testable import TapLatency

@Suite struct StageChartTests {
    @Test func `A stage has a note where it is deferred or not counted, and none otherwise`() throws {
        var report = TapReport.shippingSample
        var uncounted = StageReport.sample("own", .deferred, TimeKinds())
        uncounted.instructionCount = .notCounted
        report.stages = [
            .sample("haptic", .immediate, TimeKinds()), .sample("count", .deferred, TimeKinds()), uncounted,
        ]
        let parsed = try #require(ParsedMarkup(StageChart(report).markup.written))
        #expect(parsed.named("tspan").count == 2)
        #expect(parsed.text.contains("deferred, CPU not counted"))
    }
}
