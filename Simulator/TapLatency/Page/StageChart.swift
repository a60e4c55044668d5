/// A handler's stages one after the other on an axis of time, each split into what its time went into, with a line
/// where the panel is updated.
struct StageChart: Sendable {
    private static let firstRow = 44
    private static let rowHeight = 36

    let handler: String
    let timeline: StageTimeline

    init(_ report: TapReport) {
        handler = report.handler
        timeline = StageTimeline(report)
    }

    /// The axis, in microseconds.
    var axis: LinearAxis { LinearAxis(covering: [timeline.end], about: 4) }

    var markup: Markup {
        let bottom = StageChart.firstRow + timeline.spans.count * StageChart.rowHeight
        var drawing = SVGDrawing(
            label: "The stages of \(handler) one after the other on an axis of time, split into kinds. "
                + "The table below has the figures.",
            height: bottom + 2, plot: 0.87)
        let axis = axis
        drawing.axis(axis, y: 32, to: bottom)
        for (index, span) in timeline.spans.enumerated() {
            draw(span, y: StageChart.firstRow + index * StageChart.rowHeight, on: axis, in: &drawing)
        }
        if let updated = timeline.updated {
            let name = "panel updated, \(FigureText(time: updated).text)"
            drawing.mark(axis.position(updated), name, y: 12, to: bottom)
        }
        return drawing.markup
    }

    private func draw(_ span: StageTimeline.Span, y: Int, on axis: LinearAxis, in drawing: inout SVGDrawing) {
        let placement: String? =
            switch span.work {
            case .stage(_, .deferred): "deferred"
            case .stage(_, .immediate), .transfer: nil
            }
        let notes = [placement, span.instructionCount.note].compactMap { $0 }
        drawing.rowName(span.name, note: notes.isEmpty ? nil : notes.joined(separator: ", "), y: y)
        drawing.rowFigure(FigureText(time: span.kinds.total), y: y)
        var begin = span.begin
        for kind in TimeKind.allCases {
            let end = begin + span.kinds[kind]
            drawing.bar(
                axis.position(begin), to: axis.position(end), y: y + 21, height: 9, style: "kind k-\(kind.rawValue)",
                title: "\(span.name), \(kind.title): \(FigureText(time: span.kinds[kind]).text)")
            begin = end
        }
    }
}
