/// The times to every mark, and what a tap costs, for two handlers side by side.
struct MarkTables: Sendable {
    let reports: [TapReport]

    var marks: [Markup] {
        reports.map { report in
            var table = PageTable(
                caption: "\(report.handler), from the touch.", style: "marks",
                columns: [.text("mark"), .figure("p50"), .figure("p90"), .figure("p99"), .figure("max")]
                    + (report.bounds == nil ? [] : [.figure("p50 by the manual")]))
            table.rows = LatencyMark.allCases.map { mark in
                row(report, mark.rawValue, report.marks[mark], report.bounds?.medians(of: mark))
            }
            table.rows += report.restingMarks.map { mark, times in row(report, "\(mark.rawValue), at rest", times) }
            table.rows += report.senses.titled.map { title, times in row(report, title, times) }
            return table.markup
        }
    }

    /// - Parameter bounds: what the manual of the processor's core allows for the median.
    private func row(
        _ report: TapReport, _ name: String, _ times: Distribution?, _ bounds: ClosedRange<UInt64>? = nil
    ) -> [[Markup]] {
        let figures = [times?.p50, times?.p90, times?.p99, times?.max].map(FigureText.init(time:))
        let open = report.bounds == nil ? [] : [FigureText(between: bounds)]
        return [[.text(name)]] + (figures + open).map { [.figure($0)] }
    }

    /// What the mean tap costs besides time.
    var costs: Markup {
        var table = PageTable(
            caption: "What the mean tap costs besides time.", style: "costs",
            columns: [.text("a tap")] + reports.map { .figure($0.handler) })
        func row(_ name: String, _ figure: (TapReport) -> Double) -> [[Markup]] {
            [[.text(name)]] + reports.map { [.figure(FigureText(amount: figure($0)))] }
        }
        table.rows = [
            row("bytes over the radio link", \.bytesOnAir),
            row("charge, µC", \.charge),
            row("dirty lines of the update", \.dirtyLines.update),
            row("dirty lines as the row goes", \.dirtyLines.removal),
        ]
        return table.markup
    }
}
