import DeviceModel

extension ReportComparison {
    /// The comparison as JSON, times in microseconds: indented, keys in alphabetical order.
    package var json: [UInt8] {
        ComparisonJSON(
            old: old.name, new: new.name, tolerance: tolerance.percent, kept: count(.kept),
            regressions: regressions.count, figures: figures.map(ComparisonJSON.Figure.init)
        ).reportJSON()
    }
}

/// The comparison's keys.
private struct ComparisonJSON: Encodable {
    struct Figure: Encodable {
        let handler: String
        let mark: String?
        let stage: String?
        let percentile: ComparedFigure.Percentile
        let old: UInt64?
        let new: UInt64?
        /// In per cent of the old time; nil from 0, which nothing is a share of.
        let change: Double?
        /// Nil where the times have all that was executed.
        let instructionCount: InstructionCount?
        let verdict: FigureVerdict
    }

    let old: String
    let new: String
    /// In per cent.
    let tolerance: Double
    let kept: Int
    let regressions: Int
    let figures: [Figure]
}

extension ComparisonJSON.Figure {
    fileprivate init(_ figure: ComparedFigure) {
        let (mark, stage): (String?, String?) =
            switch figure.subject {
            case .mark: (figure.subject.name, nil)
            case .stage: (nil, figure.subject.name)
            }
        self.init(
            handler: figure.handler, mark: mark, stage: stage, percentile: figure.percentile,
            old: figure.oldTime, new: figure.newTime,
            change: figure.change.flatMap { $0.isFinite ? $0 * 100 : nil },
            instructionCount: figure.completeness == .counted ? nil : .notCounted, verdict: figure.verdict)
    }
}
