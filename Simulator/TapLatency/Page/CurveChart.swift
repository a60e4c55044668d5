/// Two lines over what should not matter: the medians until the panel is updated and until the row is gone.
struct CurveChart: Sendable {
    private static let top = 28.0
    private static let bottom = 178.0

    /// What runs along the axis.
    let subject: String
    /// The same as the head of a column.
    let column: String
    /// The points, from the left.
    let points: [CurvePoint]
    /// What a point is called on the axis.
    let name: @Sendable (CurvePoint) -> String

    /// How far the figure that differs most is from that of the first point, as a share of it: both marks, p50 and p99.
    /// Nil where there is nothing to compare.
    var largestDeviation: Double? {
        guard points.count > 1, let first = points.first else { return nil }
        func figures(_ point: CurvePoint) -> [UInt64] {
            [point.updated.p50, point.updated.p99, point.settled.p50, point.settled.p99]
        }
        let shares = points.flatMap { point in
            zip(figures(point), figures(first)).map { figure, first -> Double in
                if figure == first { return 0 }
                return abs(Double(figure) - Double(first)) / Double(first)
            }
        }
        return shares.max()
    }

    var markup: Markup {
        var drawing = SVGDrawing(
            label: "Medians of both marks over \(subject), as lines. The table below has the figures.", height: 222)
        let times = points.flatMap { [Double($0.updated.p50), Double($0.settled.p50)] }
        let axis = LinearAxis(covering: times, about: 2)
        for tick in axis.ticks {
            let y = height(tick, on: axis)
            drawing.line((0, y), (1, y), style: "grid")
            let name = FigureText(tick: tick, step: axis.step, end: axis.highest).text
            drawing.text(name, x: 0, y: Int(y) - 4, anchor: .start, style: "tick")
        }
        for (index, point) in points.enumerated() {
            drawing.text(name(point), x: across(index), y: 204, anchor: .middle, style: "tick")
        }
        draw(points.map(\.settled), named: "settled", labels: -10, on: axis, in: &drawing)
        draw(points.map(\.updated), named: "updated", labels: -10, on: axis, in: &drawing)
        return drawing.markup
    }

    private func draw(
        _ times: [Distribution], named series: String, labels: Int, on axis: LinearAxis, in drawing: inout SVGDrawing
    ) {
        let places = times.enumerated().map { index, time in
            (x: across(index), y: height(Double(time.p50), on: axis))
        }
        for (from, to) in zip(places, places.dropFirst()) { drawing.line(from, to, style: "curve \(series)") }
        for (index, (place, time)) in zip(places, times).enumerated() {
            let figure = FigureText(time: time.p50).text
            drawing.dot(place.x, place.y, style: series, title: "\(series), \(name(points[index])): \(figure)")
            if index == 0 || index == places.count - 1 {
                drawing.text(figure, x: place.x, y: Int(place.y) + labels, anchor: .middle, style: "value")
            }
        }
    }

    /// The points stand apart by the same width, right of the axis' names.
    private func across(_ index: Int) -> Double {
        points.count < 2 ? 0.5 : 0.18 + 0.74 * Double(index) / Double(points.count - 1)
    }

    private func height(_ time: Double, on axis: LinearAxis) -> Double {
        CurveChart.bottom - axis.position(time) * (CurveChart.bottom - CurveChart.top)
    }

    var table: Markup {
        var table = PageTable(
            caption: "Over \(subject).", style: "curve",
            columns: [
                .figure(column), .figure("updated p50"), .figure("p99"), .figure("settled p50"), .figure("p99"),
            ])
        table.rows = points.map { point in
            let times = [point.updated.p50, point.updated.p99, point.settled.p50, point.settled.p99]
            return [[.text(name(point))]] + times.map { [.figure(FigureText(time: $0))] }
        }
        return table.markup
    }
}
