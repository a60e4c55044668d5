/// A handler's 99th percentiles against what the panel alone takes for the same lines.
struct FloorChart: Sendable {
    let handler: String
    let marks: MarkTimes
    let floor: PanelFloor

    private var rows: [(name: String, measured: UInt64?, floor: UInt64?)] {
        [
            ("updated", marks.updated?.p99, floor.updated?.p99),
            ("settled", marks.settled?.p99, floor.settled?.p99),
        ]
    }

    var markup: Markup {
        let times = rows.flatMap { [$0.measured, $0.floor].compactMap { $0.map(Double.init) } }
        let axis = LinearAxis(covering: times, about: 4)
        let bottom = 26 + rows.count * 42
        var drawing = SVGDrawing(
            label: "The 99th percentiles of \(handler) as bars, the part that the panel alone takes set apart. "
                + "The table below has the figures.",
            height: bottom + 2, plot: 0.87)
        drawing.axis(axis, y: 12, to: bottom)
        for (index, row) in rows.enumerated() {
            draw(row, y: 26 + index * 42, on: axis, in: &drawing)
        }
        return drawing.markup
    }

    private func draw(
        _ row: (name: String, measured: UInt64?, floor: UInt64?), y: Int, on axis: LinearAxis,
        in drawing: inout SVGDrawing
    ) {
        drawing.rowName("\(row.name), p99", y: y)
        let ratio = FigureText(ratio: row.measured, to: row.floor)
        drawing.rowFigure(FigureText(time: row.measured), note: ratio.text, y: y)
        guard let floor = row.floor else { return }
        let panel = axis.position(Double(floor))
        drawing.bar(
            0, to: panel, y: y + 21, height: 12, style: "kind k-panel",
            title: "\(row.name): the panel alone takes \(FigureText(time: floor).text)")
        guard let measured = row.measured, measured > floor else { return }
        drawing.bar(
            panel, to: axis.position(Double(measured)), y: y + 21, height: 12, style: "kind k-processor",
            title: "\(row.name): \(FigureText(time: measured - floor).text) beyond the panel’s own")
    }

    var table: Markup {
        var table = PageTable(
            caption: "\(handler) against the panel’s own transfer of the same lines.", style: "floor",
            columns: [.text("mark"), .figure("panel alone"), .figure("measured"), .figure("ratio")])
        func row(_ name: String, _ measured: UInt64?, _ floor: UInt64?) -> [[Markup]] {
            [
                [.text(name)], [.figure(FigureText(time: floor))], [.figure(FigureText(time: measured))],
                [.figure(FigureText(ratio: measured, to: floor))],
            ]
        }
        table.rows = [
            row("updated p50", marks.updated?.p50, floor.updated?.p50),
            row("updated p99", marks.updated?.p99, floor.updated?.p99),
            row("settled p50", marks.settled?.p50, floor.settled?.p50),
            row("settled p99", marks.settled?.p99, floor.settled?.p99),
        ]
        return table.markup
    }
}
