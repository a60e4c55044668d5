import Testing

@testable import TapLatency

@Suite struct CurveChartTests {
    private func chart(_ times: [Distribution]) -> CurveChart {
        let points = times.map { CurvePoint(items: 8, loss: 0, updated: $0, settled: .settled) }
        return CurveChart(subject: "items", column: "items", points: points) { "\($0.items)" }
    }

    @Test func `The largest deviation is that from the first point, of either figure`() {
        let slower = Distribution(p50: 2_619, p90: 2_622, p99: 2_894, max: 2_900, count: 200)
        #expect(chart([.updated, slower]).largestDeviation.map { ($0 * 1000).rounded() } == 100)
        #expect(chart([.updated, .updated]).largestDeviation == 0)
    }

    @Test func `A single point deviates from nothing`() {
        #expect(chart([.updated]).largestDeviation == nil)
        #expect(chart([]).largestDeviation == nil)
    }

    @Test func `Every point is in the drawing and in the table`() throws {
        let chart = chart([.updated, .around(3_000), .updated])
        #expect(try #require(ParsedMarkup(chart.markup.written)).named("circle").count == 6)
        #expect(try #require(ParsedMarkup(chart.table.written)).named("tr").count == 4)
    }
}
