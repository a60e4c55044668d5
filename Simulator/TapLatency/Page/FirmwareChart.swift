/// The processor's time of every stage: what the model says, and what the firmware image took.
struct FirmwareChart: Sendable {
    private static let firstRow = 26
    private static let rowHeight = 46

    let firmware: FirmwareComparison

    var markup: Markup {
        let axis = LinearAxis(covering: firmware.stages.flatMap { [$0.modelled, $0.measured] }, about: 4)
        let bottom = FirmwareChart.firstRow + firmware.stages.count * FirmwareChart.rowHeight
        var drawing = SVGDrawing(
            label: "Two bars for each stage: the processor’s time by the model and in the firmware image. "
                + "The table below has the figures.",
            height: bottom + 2, plot: 0.87)
        drawing.axis(axis, y: 12, to: bottom)
        for (index, stage) in firmware.stages.enumerated() {
            draw(stage, y: FirmwareChart.firstRow + index * FirmwareChart.rowHeight, on: axis, in: &drawing)
        }
        return drawing.markup
    }

    private func draw(_ stage: FirmwareStage, y: Int, on axis: LinearAxis, in drawing: inout SVGDrawing) {
        drawing.rowName(stage.name, y: y)
        drawing.rowFigure(
            FigureText(time: stage.measured), note: FigureText(difference: stage.difference).text, y: y)
        drawing.bar(
            0, to: axis.position(stage.modelled), y: y + 21, height: 8, style: "modelled",
            title: "\(stage.name), by the model: \(FigureText(time: stage.modelled).text)")
        drawing.bar(
            0, to: axis.position(stage.measured), y: y + 30, height: 8, style: "kind k-processor",
            title: "\(stage.name), in the firmware: \(FigureText(time: stage.measured).text)")
    }

    var table: Markup {
        var table = PageTable(
            caption: "The processor’s time of each stage.", style: "firmware",
            columns: [.text("stage"), .figure("model"), .figure("firmware"), .figure("difference")])
        table.rows = firmware.stages.map { stage in
            [
                [.text(stage.name)], [.figure(FigureText(time: stage.modelled))],
                [.figure(FigureText(time: stage.measured))], [.figure(FigureText(difference: stage.difference))],
            ]
        }
        return table.markup
    }
}
