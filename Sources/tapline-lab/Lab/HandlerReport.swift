import CommandSupport
import TapLatency

/// One handler as a text: its marks, and its stages by what they spend their time on.
struct HandlerReport {
    let report: TapReport
    let width: Int
    let ink: TerminalInk

    var lines: [String] {
        let title =
            "\(report.handler) on \(report.profile): \(FigureText(count: report.items, "item").plain) on the watch, "
            + "\(FigureText(count: report.database).plain) on the phone, taps: \(FigureText(count: report.taps).plain), "
            + "seed: \(report.seed)"
        let processor = report.processor.words.wrapped(to: width).map(ink.faint)
        return title.wrapped(to: width) + processor + [""] + marks + [""] + stages
            + StageCode(report: report, width: width, ink: ink).lines + [""] + rest
    }

    private var marks: [String] {
        let open = report.bounds == nil ? "" : "p50 by the manual".aligned(to: 20)
        let head = "".padded(to: 20) + ["p50", "p90", "p99", "max"].map { $0.aligned(to: 10) }.joined() + open
        let rows = LatencyMark.allCases.map { mark in
            let bounds = report.bounds.map { FigureText(between: $0.medians(of: mark)).plain.aligned(to: 20) } ?? ""
            return row(mark.rawValue, report.marks[mark]) + bounds
        }
        return [ink.faint(head)] + rows + resting + [ink.faint("from the finger on:")] + senses
    }

    private var resting: [String] {
        let rows = report.restingMarks.map { mark, times in row(mark.rawValue, times) }
        return rows.isEmpty ? [] : [ink.faint(HandlerTable.restHead)] + rows
    }

    private var senses: [String] {
        report.senses.titled.map { title, times in row(title, times) }
    }

    private func row(_ title: String, _ times: Distribution?) -> String {
        let figures = [times?.p50, times?.p90, times?.p99, times?.max]
        return title.padded(to: 20) + figures.map { FigureText(time: $0).plain.aligned(to: 10) }.joined()
    }

    private var stages: [String] {
        let open = report.stages.contains { $0.bounds != nil }
        let bounds = open ? "by the manual".aligned(to: 17) : ""
        let head = "stage".padded(to: 21) + "placed".padded(to: 10) + "p50".aligned(to: 8) + bounds + "  spent on"
        let longest = report.stages.map(\.time.p50).max() ?? 0
        var lines = [ink.faint(head)]
        for stage in report.stages {
            // Where there are bounds there is no room for bars.
            let middle: String =
                open
                ? FigureText(between: stage.bounds?.medians).plain.aligned(to: 17)
                : "  " + BarText.bar(stage.time.p50, of: longest, width: 8)
            var row = stage.name.padded(to: 21) + stage.placement.word.padded(to: 10)
            row += FigureText(time: stage.time.p50).plain.aligned(to: 8) + middle + "  "
            let kinds = kinds(stage, width: max(20, width - row.count))
            lines.append(row + (kinds.first ?? ""))
            let indentation = String(repeating: " ", count: row.count)
            lines += kinds.dropFirst().map { indentation + $0 }
        }
        return lines
    }

    /// The kinds of time that make up most of a stage's, such as "waiting for the window 71 %, radio 25 %", in lines.
    private func kinds(_ stage: StageReport, width: Int) -> [String] {
        let mean = stage.mean
        let kinds = TimeKind.allCases.filter { mean.total > 0 && mean[$0] >= 0.01 * mean.total }
            .sorted { mean[$0] > mean[$1] }
            .map { "\($0.title) \(FigureText(share: mean[$0] / mean.total).plain)" }
        var lines: [String] = []
        for kind in kinds + [stage.instructionCount.note].compactMap({ $0 }) {
            if let last = lines.last, last.count + 2 + kind.count < width {
                lines[lines.count - 1] = "\(last), \(kind)"
            } else {
                if !lines.isEmpty { lines[lines.count - 1] += "," }
                lines.append(kind)
            }
        }
        return lines
    }

    private var rest: [String] {
        let floor = report.panelFloor
        let panel = """
            panel lines of the update \(FigureText(amount: report.dirtyLines.update).plain), of the removal \
            \(FigureText(amount: report.dirtyLines.removal).plain); on the bus \
            \(FigureText(time: floor.updated?.p50).plain) and \(FigureText(time: floor.settled?.p50).plain)
            """
        let air = """
            over the radio \(FigureText(amount: report.bytesOnAir).plain) bytes, from the battery \
            \(FigureText(amount: report.charge).plain) µC a tap
            """
        return panel.wrapped(to: width) + air.wrapped(to: width)
            + Assumptions(sentences: report.assumptions, width: width, ink: ink).lines
    }
}
