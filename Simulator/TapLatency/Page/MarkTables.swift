/// The times to every mark, and what a tap costs, for two handlers side by side.
struct MarkTables: Sendable {
    let reports: [TapReport]

    var marks: [Markup] {
        reports.map { report in
            var table = PageTable(
                caption: "\(report.handler), from the touch.", style: "marks",
                columns: [.text("mark"), .figure("p50"), .figure("p90"), .figure("p99"), .figure("max")])
            table.rows = LatencyMark.allCases.map { mark in
                let times = report.marks[mark]
                let figures = [times?.p50, times?.p90, times?.p99, times?.max]
                return [[.text(mark.rawValue)]] + figures.map { [.figure(FigureText(time: $0))] }
            }
            table.rows += report.restingMarks.map { mark, times in
                let figures = [times?.p50, times?.p90, times?.p99, times?.max]
                return [[.text("\(mark.rawValue), at rest")]] + figures.map { [.figure(FigureText(time: $0))] }
            }
            table.rows += report.senses.titled.map { title, times in
                let figures = [times?.p50, times?.p90, times?.p99, times?.max]
                return [[.text(title)]] + figures.map { [.figure(FigureText(time: $0))] }
            }
            return table.markup
        }
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
