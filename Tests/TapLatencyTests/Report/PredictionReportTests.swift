import Testing

@testable import TapLatency

@Suite struct PredictionReportTests {
    private func report(_ pairs: [(predicted: UInt64, executed: UInt64)]) -> PredictionReport {
        PredictionReport(
            conditions: pairs.enumerated().map { index, pair in
                PredictedCondition(
                    name: "\(index)", taps: 1,
                    figures: [
                        PredictedFigure(
                            mark: .updated, percentile: .p50, predicted: pair.predicted, executed: pair.executed)
                    ])
            })
    }

    @Test func `the worst is the one that is furthest off, whether too much or too little`() {
        #expect(report([(100, 100), (104, 100), (94, 100)]).worst?.condition.name == "2")
        #expect(report([(110, 100), (94, 100)]).worst?.condition.name == "0")
        #expect(report([]).worst == nil)
    }

    @Test func `five per cent of what was executed are within the tolerance, and more are not`() {
        let report = report([(105, 100), (95, 100), (106, 100), (94, 100)])
        #expect(report.count(within: PredictionReport.tolerance) == (2, 4))
    }

    @Test func `something predicted where nothing was executed is off without measure`() {
        #expect(report([(1, 0)]).worst?.figure.difference == .infinity)
        #expect(report([(0, 0)]).worst?.figure.difference == 0)
    }
}
