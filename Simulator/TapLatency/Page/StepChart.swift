/// The median tap-to-update of every step as a bar on a logarithmic axis, with a stroke at its 99th percentile and a
/// line at what the panel alone takes.
struct StepChart: Sendable {
    private static let firstRow = 44
    private static let rowHeight = 36

    /// The steps, from the top.
    let steps: [StepReport]
    /// What the panel alone takes, in microseconds.
    let floor: UInt64?

    var axis: LogAxis {
        let times = steps.compactMap(\.marks.updated)
        return LogAxis(covering: times.map(\.p50) + times.map(\.p99) + [floor].compactMap { $0 })
    }

    var markup: Markup {
        let bottom = StepChart.firstRow + steps.count * StepChart.rowHeight
        var drawing = SVGDrawing(
            label: "Bars of the median tap-to-update of \(steps.count) steps on a logarithmic axis of time. "
                + "The table below has the figures.",
            height: bottom + 2, plot: 0.83)
        let axis = axis
        drawing.axis(
            axis.ticks.map { (axis.position($0), FigureText(tick: $0, step: $0, end: $0).text) }, y: 32, to: bottom)
        for (index, step) in steps.enumerated() {
            draw(step, y: StepChart.firstRow + index * StepChart.rowHeight, on: axis, in: &drawing)
        }
        if let floor, floor > 0 {
            let name = "the panel alone takes \(FigureText(time: floor).text)"
            drawing.mark(axis.position(Double(floor)), name, y: 12, to: bottom)
        }
        return drawing.markup
    }

    private func draw(_ step: StepReport, y: Int, on axis: LogAxis, in drawing: inout SVGDrawing) {
        drawing.text("\(step.step)", x: 0, by: 16, y: y + 14, anchor: .end, style: "tick")
        drawing.rowName(step.name, by: 24, y: y)
        guard let updated = step.marks.updated else {
            drawing.rowFigure(.none, note: "not reached", y: y)
            return
        }
        drawing.rowFigure(
            FigureText(time: updated.p50), note: "p99 \(FigureText(time: updated.p99).text)", y: y)
        drawing.bar(
            0, to: axis.position(Double(updated.p50)), y: y + 21, height: 9,
            style: "tone-\(VerdictTone(step.verdict).rawValue)",
            title: "Step \(step.step), \(step.name): \(FigureText(time: updated.p50).text)")
        drawing.upright(axis.position(Double(updated.p99)), from: y + 18, to: y + 33, style: "high")
    }
}
