/// How far the table of counts is off under each condition that it was not counted under: a dot for each figure.
struct PredictionChart: Sendable {
    private static let firstRow = 34
    private static let rowHeight = 34

    let prediction: PredictionReport

    /// The share of what was executed that an end of the axis stands for: a whole number of per cent, at least 6.
    private var end: Double {
        let most = prediction.conditions.flatMap(\.figures).map { abs($0.difference) }.filter(\.isFinite).max() ?? 0
        return max(0.06, (most * 100).rounded(.up) / 100)
    }

    var markup: Markup {
        let bottom = PredictionChart.firstRow + prediction.conditions.count * PredictionChart.rowHeight
        var drawing = SVGDrawing(
            label: "A dot for each figure of \(prediction.conditions.count) conditions: by how much the prediction is "
                + "above or below what was executed. The table below has the figures.",
            height: bottom + 2, plot: 0.83)
        let ticks = [-PredictionReport.tolerance, 0, PredictionReport.tolerance].map {
            (position($0), $0 == 0 ? "as executed" : FigureText(difference: $0).text)
        }
        drawing.axis(ticks, y: 12, to: bottom)
        for (index, condition) in prediction.conditions.enumerated() {
            draw(condition, y: PredictionChart.firstRow + index * PredictionChart.rowHeight, in: &drawing)
        }
        return drawing.markup
    }

    private func position(_ difference: Double) -> Double {
        let shown = max(-end, min(end, difference))
        return 0.5 + 0.5 * shown / end
    }

    private func draw(_ condition: PredictedCondition, y: Int, in drawing: inout SVGDrawing) {
        drawing.rowName(condition.name, y: y - 12)
        let worst = condition.figures.max { abs($0.difference) < abs($1.difference) }
        drawing.rowFigure(worst.map { FigureText(difference: $0.difference) } ?? .none, y: y - 12)
        for figure in condition.figures {
            drawing.dot(
                position(figure.difference), Double(y + 13), style: figure.mark.rawValue,
                title: "\(condition.name), \(figure.mark.rawValue) \(figure.percentile.rawValue): "
                    + "\(FigureText(time: figure.predicted).text) predicted, \(FigureText(time: figure.executed).text) executed"
            )
        }
    }

    var table: Markup {
        var table = PageTable(
            caption: "What was executed, and how far the prediction is above or below it.", style: "prediction",
            columns: [
                .text("condition"), .figure("updated p50"), .figure("off"), .figure("p99 off"),
                .figure("settled p50"), .figure("off"), .figure("p99 off"),
            ])
        table.rows = prediction.conditions.map { condition in
            let cells = [LatencyMark.updated, .settled].flatMap { mark -> [[Markup]] in
                let (middle, high) = (condition.figure(mark, .p50), condition.figure(mark, .p99))
                return [
                    [.figure(FigureText(time: middle?.executed))], [.figure(off(middle))], [.figure(off(high))],
                ]
            }
            return [[.text(condition.name)]] + cells
        }
        return table.markup
    }

    private func off(_ figure: PredictedFigure?) -> FigureText {
        figure.map { FigureText(difference: $0.difference) } ?? .none
    }
}
