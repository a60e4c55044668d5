import DeviceModel

/// A handler's stages in a table: what each took, and what it went into.
struct StageTable: Sendable {
    let report: TapReport

    var markup: Markup {
        var table = PageTable(
            caption: "\(report.handler): time of each stage over \(FigureText(count: report.taps, "tap").text).",
            style: "stages",
            columns: [
                .text("stage"), .text("placed"), .figure("p50"), .figure("p99"), .figure("p50 by the manual"),
                .text("where the mean goes"),
            ])
        table.rows = report.stages.map { stage in
            [
                [.text(stage.name)], [.text(stage.placement.word)], [.figure(FigureText(time: stage.time.p50))],
                [.figure(FigureText(time: stage.time.p99))], [.figure(FigureText(between: stage.bounds?.medians))],
                kinds(stage.mean) + note(stage.instructionCount),
            ]
        }
        return table.markup
    }

    private func note(_ count: InstructionCount) -> [Markup] {
        count.note.map { [.tag("span", ["class": "part"], [.text($0)])] } ?? []
    }

    /// The kinds that took any time, the largest first.
    private func kinds(_ time: TimeKinds) -> [Markup] {
        let spent = TimeKind.allCases.filter { time[$0] > 0 }.sorted { time[$0] > time[$1] }
        if spent.isEmpty { return [.figure(.none)] }
        return spent.map { kind in
            .tag(
                "span", ["class": "part"],
                [kind.swatch, .text("\(kind.title)\u{A0}\(FigureText(time: time[kind]).text)")])
        }
    }
}

extension TimeKind {
    /// A square in the colour of the kind.
    var swatch: Markup { .tag("i", ["class": "swatch k-\(rawValue)"]) }
}
