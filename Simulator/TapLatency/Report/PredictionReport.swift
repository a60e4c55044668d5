/// What the table of counts predicts, beside what was executed, under conditions that it was not counted under.
package struct PredictionReport: Sendable, Codable, Equatable {
    package var conditions: [PredictedCondition]

    /// How far a figure may be off: 5 % of what was executed.
    package static let tolerance = 0.05

    /// The figure that is furthest off, and its condition; nil where there is none.
    package var worst: (condition: PredictedCondition, figure: PredictedFigure)? {
        conditions.flatMap { condition in condition.figures.map { (condition, $0) } }
            .max { abs($0.1.difference) < abs($1.1.difference) }
    }

    /// How many of the figures are within this share of what was executed.
    package func count(within share: Double) -> (within: Int, all: Int) {
        let figures = conditions.flatMap(\.figures)
        return (figures.count { abs($0.difference) <= share }, figures.count)
    }
}

/// One condition: a list, titles, a seed, or a handler.
package struct PredictedCondition: Sendable, Codable, Equatable {
    /// What is different, in a few words.
    package var name: String
    /// Taps that were executed, and as many that were predicted.
    package var taps: Int
    package var figures: [PredictedFigure]

    /// The figure of a mark, nil where it was not reached.
    package func figure(_ mark: LatencyMark, _ percentile: PredictedFigure.Percentile) -> PredictedFigure? {
        figures.first { $0.mark == mark && $0.percentile == percentile }
    }
}

/// One figure, predicted and executed, in microseconds.
package struct PredictedFigure: Sendable, Codable, Equatable {
    package var mark: LatencyMark
    package var percentile: Percentile
    package var predicted: UInt64
    package var executed: UInt64

    package enum Percentile: String, Sendable, Codable {
        case p50, p99
    }

    /// By how much the prediction is above what was executed, as a share of it; 0 where both are 0.
    package var difference: Double {
        if executed == 0 { return predicted == 0 ? 0 : .infinity }
        return (Double(predicted) - Double(executed)) / Double(executed)
    }

    package init(mark: LatencyMark, percentile: Percentile, predicted: UInt64, executed: UInt64) {
        (self.mark, self.percentile, self.predicted, self.executed) = (mark, percentile, predicted, executed)
    }
}

extension PredictedCondition {
    /// The condition with the figures of both marks that both reports have.
    init(name: String, predicted: TapReport, executed: TapReport) {
        self.name = name
        taps = executed.taps
        figures = [LatencyMark.updated, .settled].flatMap { mark -> [PredictedFigure] in
            guard let expected = predicted.marks[mark], let found = executed.marks[mark] else { return [] }
            return [
                PredictedFigure(mark: mark, percentile: .p50, predicted: expected.p50, executed: found.p50),
                PredictedFigure(mark: mark, percentile: .p99, predicted: expected.p99, executed: found.p99),
            ]
        }
    }
}
