import HostSystem
import TapLatency

extension TapReport {
    var text: ReportText {
        ReportText(
            [[.words(title), .words(processor.words, .faint)], [markTable], [stageTable]] + functionTables + [
                [
                    .words(
                        "panel lines of the update \(Figure.amount(dirtyLines.update)), of the removal "
                            + "\(Figure.amount(dirtyLines.removal)); on the bus \(Figure.time(panelFloor.updated?.p50)) and "
                            + Figure.time(panelFloor.settled?.p50)),
                    .words(
                        "over the radio \(Figure.amount(bytesOnAir)) bytes, from the battery \(Figure.amount(charge)) µC a tap"
                    ),
                ],
                ReportText.assumed(assumptions),
            ])
    }

    fileprivate var title: String {
        "\(handler) on \(profile): \(ReportText.conditions(items: items, database: database, taps: taps, seed: seed))"
    }

    private var markTable: ReportText.Block {
        func row(_ name: String, _ times: Distribution?, _ bounds: ClosedRange<UInt64>? = nil) -> ReportText.Row {
            let figures = [times?.p50, times?.p90, times?.p99, times?.max].map { Figure.time($0) }
            let open = self.bounds == nil ? [] : [bounds == nil ? "" : Figure.between(bounds)]
            return .texts([name] + figures + open)
        }
        var rows = LatencyMark.allCases.map { row($0.rawValue, marks[$0], bounds?.medians(of: $0)) }
        if let atRest {
            rows.append(.heading(ReportText.restHeading))
            rows += ReportText.restingMarks.map { row($0.rawValue, atRest[$0]) }
        }
        rows.append(.heading("from the finger on:"))
        rows += senses.titled.map { row($0.title, $0.times) }
        return .table(
            [.left(""), .right("p50"), .right("p90"), .right("p99"), .right("max")]
                + (bounds == nil ? [] : [.right("p50 by the manual")]), rows)
    }

    private var stageTable: ReportText.Block {
        let longest = stages.map(\.time.p50).max() ?? 0
        // A table has bars or the manual's bounds, because both do not fit.
        let isOpen = stages.contains { $0.bounds != nil }
        return .table(
            [
                .left("stage"), .left("placed"), .right("p50"), isOpen ? .right("by the manual") : .bars,
                .left("spent on"),
            ],
            stages.map { stage in
                let kinds = stage.mean.kinds(from: 0.01).map { kind in
                    "\(kind.title) \(Figure.share(stage.mean[kind] / stage.mean.total))"
                }
                let spent = kinds + [stage.instructionCount.note].compactMap { $0 }
                return .cells([
                    .init(stage.name), .init(stage.placement.word), .init(Figure.time(stage.time.p50)),
                    isOpen ? .init(Figure.between(stage.bounds?.medians)) : .init(bar: stage.time.p50, of: longest),
                    .init(spent.joined(separator: ", ")),
                ])
            })
    }

    /// A line for each stage that takes at least 5 % of the stages' cycles. The line names the stage's function with the most
    /// cycles.
    var codeOverview: [ReportText.Block] {
        let rows = notableStages.compactMap { part, share in
            part.largest(1).first.map {
                ReportText.Row.texts([part.name, Figure.share(share), "\(Figure.share($0.share)) in \($0.name)"])
            }
        }
        let head = "\(handler): the stage's share of the processor's cycles, and where most of them go"
        return rows.isEmpty ? [] : [.words(head, .faint), .table([.left(""), .right(""), .left("")], rows)]
    }

    /// Tables of functions: one for each stage that takes at least 5 % of the stages' cycles, and one for the code around the
    /// stages. Each has at most ten functions, those that take the most cycles.
    fileprivate var functionTables: [[ReportText.Block]] {
        (notableStages.map(\.part) + [codeAroundStages].compactMap { $0 }).map { part in
            let functions = part.largest(10)
            guard let first = functions.first else { return [] }
            return [
                .words("\(part.name): \(Figure.share(first.share)) in \(first.name)", .bold),
                .table(
                    [.right("  cycles a tap"), .right("share"), .left("function, without what it calls")],
                    functions.map { function in
                        let cycles = Int((Double(function.cycles) / Double(max(taps, 1))).rounded())
                        return .texts([Figure.count(cycles), Figure.share(function.share), function.name])
                    }),
            ]
        }
    }
}

extension HandlerTrial {
    func text(budget: Budget) -> ReportText {
        ReportText(
            [[.words(whole.title), .words(whole.processor.words, .faint)], [stageTable]] + whole.functionTables + [
                [.words(finding(budget), .bold)]
            ])
    }

    private var stageTable: ReportText.Block {
        func change(_ change: Int64?) -> String { change.map { $0 == 0 ? "=" : Figure.change($0) } ?? "" }
        func time(_ marks: MarkTimes) -> String { Figure.time(marks.updated?.p50) }
        let rows = stages.map { stage in
            let advice = stage.advice.isEmpty ? [] : ["try: " + stage.advice.map(\.words).joined(separator: ", or ")]
            return ReportText.Row.texts(
                [
                    stage.stage, stage.placement.word, time(stage.marks), change(stage.change), stage.verdict.rawValue,
                ], notes: [stage.found] + advice)
        }
        return .table(
            [.left("stage"), .left("placed"), .right("tap to update"), .right("change"), .left("verdict")],
            [.texts(["(everything off)", "", time(off.marks), "", ""])] + rows + [
                .texts([
                    "(as its source has it)", "", time(whole.marks), around.map { change($0) } ?? Figure.none,
                    verdict.rawValue,
                ])
            ])
    }

    private func finding(_ budget: Budget) -> String {
        let took = Figure.time(whole.marks[budget.mark]?.p99)
        let judged = verdict == .kept ? "within" : "over"
        return "\(budget.mark.rawValue) after \(took) (p99), \(judged) the budget of \(Figure.time(budget.limit.count))"
            + (culprit.map { ": '\($0)' takes most of it" } ?? "")
    }
}

extension Advice {
    fileprivate var words: String {
        switch self {
        case .defer: "run it after the panel is updated (Deferred)"
        case .drop: "do without it"
        case .cache: "keep the phone's answer instead of asking again"
        }
    }
}
