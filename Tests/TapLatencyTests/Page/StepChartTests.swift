import Testing

@testable import TapLatency

@Suite struct StepChartTests {
    @Test func `There is a bar for each step that reached the mark, where its median is on the axis`() throws {
        let chart = StepChart(steps: StepReport.samples, floor: 2_408)
        let bars = try #require(ParsedMarkup(chart.markup.written)).named("rect")
        let medians = StepReport.samples.compactMap(\.marks.updated?.p50)
        #expect(bars.count == 18)
        for (bar, median) in zip(bars, medians) {
            let width = FigureText.decimal(chart.axis.position(Double(median)) * 83, places: 6) + "%"
            #expect(bar.attributes["width"] == width)
        }
    }

    @Test func `A step that did not reach the mark is named, with an en dash`() throws {
        let chart = StepChart(steps: [StepReport.samples[0]], floor: 0)
        let parsed = try #require(ParsedMarkup(chart.markup.written))
        #expect(parsed.named("rect").isEmpty)
        #expect(parsed.text.contains("an empty handler"))
        #expect(parsed.text.contains("–"))
    }

    @Test func `A slow step does not look like a fast one`() throws {
        let chart = StepChart(steps: [StepReport.samples[6], StepReport.samples[7]], floor: 2_408)
        let bars = try #require(ParsedMarkup(chart.markup.written)).named("rect")
        #expect(bars.map { $0.attributes["class"] } == ["tone-good", "tone-bad"])
    }
}
