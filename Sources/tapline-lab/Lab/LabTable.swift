import CommandSupport
import TapLatency

/// The nineteen steps as a table for a terminal: a row for each, with a bar of what the wearer waits for.
struct LabTable {
    let report: LabReport
    let width: Int
    let ink: TerminalInk

    /// The table, the two handlers and the firmware, in lines.
    var lines: [String] {
        let handlers = HandlerTable(report: report, width: width, ink: ink)
        let firmware = FirmwareTable(report: report, ink: ink)
        let brackets = report.shipping.bounds == nil ? "" : "; in brackets, what the manual of its core allows"
        let processor = (report.shipping.processor.words + brackets).wrapped(to: width).map(ink.faint)
        return title.wrapped(to: width) + processor + ["", head] + report.steps.flatMap(rows) + [""] + handlers.lines
            + EssayTable(report: report, width: width, ink: ink).lines
            + LegacyTable(points: report.legacyCauses ?? [], width: width, ink: ink).lines
            + [report.legacy, report.shipping].flatMap { StageCode(report: $0, width: width, ink: ink).overview }
            + firmware.lines
            + Assumptions(sentences: report.shipping.assumptions, width: width, ink: ink).lines
    }

    private var title: String {
        "\(report.profile): \(FigureText(count: report.items, "item").plain) on the watch, "
            + "\(FigureText(count: report.database).plain) on the phone, taps of each measurement: "
            + "\(FigureText(count: report.taps).plain), seed: \(report.seed)"
    }

    // MARK: Columns

    private static let timeWidth = 8
    private static let verdictWidth = 17
    /// The step's number and the spaces between the columns.
    private static let otherWidth = 13

    /// What is left for names and bars. Names have the more of it, and a bar is never shorter than its row is readable.
    private var room: Int { max(24, width - 2 * LabTable.timeWidth - LabTable.verdictWidth - LabTable.otherWidth) }
    private var nameWidth: Int { min(34, room - 8) }
    private var barWidth: Int { min(40, room - nameWidth) }

    private var head: String {
        let columns =
            " step".padded(to: 6) + "".padded(to: nameWidth + 1) + "tap to".aligned(to: LabTable.timeWidth + 1)
        let below =
            "".padded(to: 6) + "".padded(to: nameWidth + 1) + "update".aligned(to: LabTable.timeWidth + 1)
        let rest = " " + "".padded(to: barWidth) + " " + "change".aligned(to: LabTable.timeWidth + 1) + "  verdict"
        return ink.faint(columns) + "\n" + ink.faint(below + rest)
    }

    private func rows(_ step: StepReport) -> [String] {
        let update = step.marks.updated?.p50
        let change = step.change?.updated.map { $0 == 0 ? "=" : FigureText(change: $0).plain } ?? ""
        let row =
            "\(step.step)".aligned(to: 5) + " " + step.name.padded(to: nameWidth) + " "
            + FigureText(time: update).plain.aligned(to: LabTable.timeWidth + 1) + " "
            + ink.bar(BarText.bar(update ?? 0, of: longest, width: barWidth), for: step.verdict) + " "
            + change.aligned(to: LabTable.timeWidth + 1) + "  " + ink.verdict(step.verdict)
        let notes = [step.chance].compactMap { $0 } + step.absences.map(\.sentence)
        return [row] + ([step.found] + notes).flatMap { $0.wrapped(to: width - 8) }.map { ink.faint("      " + $0) }
    }

    private var longest: UInt64 {
        report.steps.compactMap { $0.marks.updated?.p50 }.max() ?? 0
    }
}

/// The two handlers, mark by mark.
struct HandlerTable {
    let report: LabReport
    let width: Int
    let ink: TerminalInk

    var lines: [String] {
        let head = "".padded(to: 18) + ["legacy p50", "p99", "shipping p50", "p99"].map { $0.aligned(to: 14) }.joined()
        let marks = LatencyMark.allCases.map { mark in
            mark.rawValue.padded(to: 18) + figures(report.legacy, mark) + figures(report.shipping, mark)
        }
        return [ink.faint(head)] + marks + open + resting + senses + floor + speedUp
    }

    /// The marks that the processor's cycles decide, as far as the manual of its core leaves them open.
    private var open: [String] {
        guard let legacy = report.legacy.bounds, let shipping = report.shipping.bounds else { return [] }
        let marks: [LatencyMark] = [.handled, .updated, .settled]
        let rows = marks.flatMap { mark in
            [("least", \TimeBounds<MarkTimes>.fewest), ("most", \TimeBounds<MarkTimes>.most)].map { word, side in
                let times = [legacy[keyPath: side][mark], shipping[keyPath: side][mark]].flatMap { [$0?.p50, $0?.p99] }
                return ink.faint(
                    "\(mark.rawValue), \(word)".padded(to: 18)
                        + times.map { FigureText(time: $0).plain.aligned(to: 14) }.joined())
            }
        }
        return [ink.faint(HandlerTable.openHead)] + rows
    }

    /// Above the marks with the fewest and the most cycles.
    static let openHead = "with the fewest and the most cycles that the manual of the core allows:"

    /// Taps so far apart that the connection is in its slow tempo.
    private var resting: [String] {
        let rows = report.legacy.restingMarks.map { mark, _ in
            let times = [report.legacy, report.shipping].flatMap { [$0.atRest?[mark]?.p50, $0.atRest?[mark]?.p99] }
            return mark.rawValue.padded(to: 18) + times.map { FigureText(time: $0).plain.aligned(to: 14) }.joined()
        }
        return rows.isEmpty ? [] : [ink.faint(HandlerTable.restHead)] + rows
    }

    /// Above the marks of taps that follow a rest.
    static let restHead = "at rest, each tap 12 s after what the one before has caused:"

    /// What a finger and an eye add: the same parts for both.
    private var senses: [String] {
        zip(report.legacy.senses.titled, report.shipping.senses.titled).map { legacy, shipping in
            let times = [legacy.times?.p50, legacy.times?.p99, shipping.times?.p50, shipping.times?.p99]
            let figures = times.map { FigureText(time: $0).plain.aligned(to: 14) }.joined()
            return ink.faint(legacy.title.padded(to: 20) + figures.dropFirst(2))
        }
    }

    private func figures(_ report: TapReport, _ mark: LatencyMark) -> String {
        let times = report.marks[mark]
        return [times?.p50, times?.p99].map { FigureText(time: $0).plain.aligned(to: 14) }.joined()
    }

    private var floor: [String] {
        let floor = report.panelFloor
        return [
            "panel's own, p99: the update takes \(FigureText(time: floor.updated?.p99).plain) on its bus, the removal "
                + "\(FigureText(time: floor.settled?.p99).plain)"
        ].flatMap { $0.wrapped(to: width) }.map(ink.faint)
    }

    private var speedUp: [String] {
        guard let times = report.speedUp else { return [] }
        let text = FigureText(count: Int(times.rounded())).plain
        return ["", ink.bold("shipping updates \(text) times as fast as legacy")]
    }
}

/// The model beside the firmware's image.
struct FirmwareTable {
    let report: LabReport
    let ink: TerminalInk

    /// The lines; none where no firmware was measured.
    var lines: [String] {
        guard let firmware = report.firmware else { return [] }
        let columns = ["model", "firmware", "difference"].map { $0.aligned(to: 12) }
        let head = "processor time".padded(to: 26) + columns.joined()
        let rows = firmware.stages.map { stage in
            stage.name.padded(to: 26) + micro(stage.modelled) + micro(stage.measured)
                + percent(stage.difference).aligned(to: 12)
        }
        return ["", ink.faint(head)] + rows
    }

    private func micro(_ time: Double) -> String {
        "\((time * 10).rounded() / 10) µs".aligned(to: 12)
    }

    private func percent(_ share: Double) -> String {
        share.isFinite ? "\((share * 1_000).rounded() / 10) %" : "–"
    }
}
