/// The sections of the page, in the order in which they stand.
struct PageSections: Sendable {
    let report: LabReport

    var markup: [Markup] {
        [steps, stages, marks, floor, curve, firmware]
    }

    private func section(_ title: String, _ content: [Markup]) -> Markup {
        .tag("section", [:], [.tag("h2", .text(title))] + content)
    }

    private func figure(_ drawing: Markup, _ caption: [Markup]) -> Markup {
        .tag("figure", [:], caption.isEmpty ? [drawing] : [.tag("figcaption", [:], caption), drawing])
    }

    private func legend(_ meanings: [(colour: String, meaning: String)]) -> Markup {
        .tag(
            "ul", ["class": "legend", "aria-label": "Colours"],
            meanings.map { .tag("li", .tag("i", ["class": "swatch \($0.colour)"]), .text($0.meaning)) })
    }

    private var steps: Markup {
        let first = report.steps.first?.step ?? 1
        let last = report.steps.last?.step ?? 19
        let title =
            report.steps.count == 19
            ? "The nineteen steps" : first == last ? "Step \(first)" : "Steps \(first) to \(last) of nineteen"
        let chart = StepChart(steps: report.steps, floor: report.panelFloor.updated?.p50)
        return section(
            title,
            [
                figure(
                    chart.markup,
                    [
                        .text(
                            "From the touch until the struck row is on the panel: bars are medians, the stroke beside "
                                + "each is its 99th percentile. Each line of the grid is ten times the one before.")
                    ]),
                StepTable(steps: report.steps).markup,
            ])
    }

    private var stages: Markup {
        let handlers = [report.legacy, report.shipping].flatMap { report in
            [
                .tag("h3", .text(report.handler)),
                figure(StageChart(report).markup, [.text(summary(of: report))]),
                StageTable(report: report).markup,
            ]
        }
        return section(
            "Where the time goes", [legend(TimeKind.allCases.map { ("k-\($0.rawValue)", $0.title) })] + handlers)
    }

    /// What takes longest, and what that goes into.
    private func summary(of report: TapReport) -> String {
        let timeline = StageTimeline(report)
        guard let longest = timeline.longest, let largest = longest.kinds.largest, timeline.end > 0 else {
            return "No stage takes any time."
        }
        let share = FigureText(share: longest.kinds.total / timeline.end).text
        let beginning = "The mean tap, stage after stage. The largest part, \(share), is"
        switch longest.work {
        case .transfer:
            return "\(beginning) lines on their way to the panel."
        case .stage(let name, _):
            return "\(beginning) the stage “\(name)”, \(FigureText(share: largest.share).text) of it "
                + "\(largest.kind.subject)."
        }
    }

    private var marks: Markup {
        let tables = MarkTables(reports: [report.legacy, report.shipping])
        return section(
            "Every mark", [.tag("div", ["class": "pair"], tables.marks), tables.costs])
    }

    private var floor: Markup {
        let chart = FloorChart(
            handler: report.shipping.handler, marks: report.shipping.marks, floor: report.panelFloor)
        return section(
            "Against the panel’s floor",
            [
                legend([
                    ("k-panel", "the panel’s own transfer of the same lines"),
                    ("k-processor", "added by \(report.shipping.handler)"),
                ]),
                figure(chart.markup, []),
                chart.table,
            ])
    }

    private var curve: Markup {
        let charts = [
            CurveChart(subject: "items on the watch", column: "items", points: report.curve.items) { "\($0.items)" },
            CurveChart(subject: "loss on the radio link", column: "loss", points: report.curve.loss) {
                "\(FigureText.decimal($0.loss * 100, places: 0))\u{A0}%"
            },
        ].filter { !$0.points.isEmpty }
        if charts.isEmpty { return section("Longer lists, lost packets", [.tag("p", "It was not measured.")]) }
        let columns = charts.map { chart in
            Markup.tag("div", figure(chart.markup, [.text(flatness(of: chart))]), chart.table)
        }
        return section(
            "Longer lists, lost packets",
            [
                .tag(
                    "p",
                    .text(
                        "The time of a tap on the row at the top, whose removal moves all others, with more items on "
                            + "the watch and with more of the radio’s events lost. The deviation is the largest among "
                            + "p50 and p99 of both marks.")),
                legend([("settled", "settled, p50"), ("updated", "updated, p50")]),
                .tag("div", ["class": "pair"], columns),
            ])
    }

    private func flatness(of chart: CurveChart) -> String {
        let subject = chart.subject.prefix(1).uppercased() + chart.subject.dropFirst()
        guard let largest = chart.largestDeviation else { return "\(subject): a single point." }
        if largest == 0 { return "\(subject): the same at every point." }
        let share = FigureText(difference: largest).text.dropFirst()
        return "\(subject): at most \(share) off the first point."
    }

    private var firmware: Markup {
        let title = "The firmware beside the model"
        guard let firmware = report.firmware, !firmware.stages.isEmpty else {
            return section(
                title,
                [
                    .tag(
                        "p", "The firmware image was not measured; ", .tag("code", "tapline lab --firmware"),
                        " runs it in QEMU and puts its times here.")
                ])
        }
        let chart = FirmwareChart(firmware: firmware)
        let difference = FigureText(share: firmware.largestDifference).text
        return section(
            title,
            [
                legend([("modelled", "by the model"), ("k-processor", "in the firmware image")]),
                figure(chart.markup, [.text("The stage that differs most is \(difference) from the model.")]),
                chart.table,
            ])
    }
}

extension TimeKind {
    /// The kind as part of a sentence that says what a time is.
    fileprivate var subject: String {
        switch self {
        case .processor: "executing instructions"
        case .panel: "lines on their way to the panel"
        case .flash: "waiting for the flash chip"
        case .haptic: "writing to the haptic driver"
        case .radio: "waiting for the radio"
        case .phone: "waiting for the phone"
        }
    }
}
