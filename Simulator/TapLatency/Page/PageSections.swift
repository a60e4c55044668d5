import Watch

/// The sections of the page, in the order in which they stand.
struct PageSections: Sendable {
    let report: LabReport

    var markup: [Markup] {
        [steps, stages] + essay + code + [marks] + causes + [floor, curve, firmware]
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
                                + "each is its 99th percentile. Each line of the grid is ten times the one before. Times in "
                                + "brackets have the fewest and the most cycles that the manual of the processor’s core allows."
                        )
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

    /// Legacy's stages beside what the essay found; nothing where they took no time.
    private var essay: [Markup] {
        let shares = report.essayShares
        if shares.isEmpty { return [] }
        var table = PageTable(
            caption:
                "Share of the time of all stages of the mean tap. The essay gives no figures but that of the whole tap.",
            style: "essay", columns: [.text("stage"), .figure("share here"), .text("in the essay")])
        table.rows = shares.map { share in
            let reason = share.reason.map { Markup.tag("p", ["class": "note"], [.text($0)]) }
            let finding = Markup.text(share.finding?.rawValue ?? "not in it")
            return [
                [.text(share.stage)], [.figure(FigureText(share: share.share))],
                [finding] + [reason].compactMap(\.self),
            ]
        }
        return [
            section(
                "\(report.legacy.handler) beside the essay",
                [
                    .tag("p", "Where the two disagree, the table says why. No cost is tuned to fit."),
                    .tag("div", ["class": "wide"], [table.markup]),
                ])
        ]
    }

    /// Where in the code the time goes; nothing where the machine code was not executed.
    private var code: [Markup] {
        let charts = [report.legacy, report.shipping].compactMap(IcicleChart.init)
        if charts.isEmpty { return [] }
        let drawings = charts.flatMap { chart in
            [.tag("h3", .text(chart.handler)), figure(chart.markup, [.text(chart.summary)])]
        }
        return [
            section(
                "Where in the code",
                [
                    .tag(
                        "p",
                        .text(
                            "The processor’s cycles of each stage, by function: what a function calls is below it, as wide "
                                + "as its share. The time in which the processor waits is not in it.")),
                    legend(IcicleChart.Shade.allCases.map { ($0.rawValue, $0.meaning) }),
                ] + drawings)
        ]
    }

    private var marks: Markup {
        let tables = MarkTables(reports: [report.legacy, report.shipping])
        return section(
            "Every mark", tables.marks.map { .tag("div", ["class": "wide"], [$0]) } + [tables.costs])
    }

    /// Legacy by what its time follows from; nothing where that was not measured.
    private var causes: [Markup] {
        guard let points = report.legacyCauses else { return [] }
        var table = PageTable(
            caption:
                "Tap-to-update of \(report.legacy.handler), p50, by packets that a connection event carries. It gives up waiting after "
                + "\(FigureText(time: WatchLimits.phonePatience.count).text).",
            style: "costs",
            columns: [.text("items on the phone")] + points.packets.map { .figure("\($0)") })
        table.rows = points.rows.map { row in
            [[.text(FigureText(count: row.database).text)]] + row.medians.map { [.figure(FigureText(time: $0))] }
        }
        return [section("What \(report.legacy.handler)’s time follows from", [table.markup])]
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
                            + "the watch and with more of the radio’s packets lost. The deviation is the largest among "
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
        let difference = FigureText(difference: firmware.difference).text
        return section(
            title,
            [
                legend([("modelled", "by the model"), ("k-processor", "in the firmware image")]),
                figure(
                    chart.markup,
                    [
                        .text(
                            "All stages together: \(difference). A stage that does little but ask its board for something differs "
                                + "by what the two boards’ drivers take.")
                    ]),
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
        case .radio: "packets in the air"
        case .window: "waiting for the next connection event"
        case .phone: "waiting for the phone"
        }
    }
}
