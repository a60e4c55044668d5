import HostSystem
import TapLatency

extension LabReport {
    /// The nineteen steps, the two handlers, and what else was measured.
    var text: ReportText {
        let brackets = shipping.bounds == nil ? "" : "; in brackets, what the manual of its core allows"
        let title = "\(profile): \(ReportText.conditions(items: items, database: database, taps: taps, seed: seed))"
        return ReportText([
            [.words(title), .words(shipping.processor.words + brackets, .faint)],
            [stepTable],
            [handlerTable, .words(floor, .faint)],
            speedUp.map {
                [.words("shipping updates \(Figure.count(Int($0.rounded()))) times as fast as legacy", .bold)]
            } ?? [],
            essayTable, causeTable, legacy.codeOverview, shipping.codeOverview, firmwareTable,
            ReportText.assumed(shipping.assumptions),
        ])
    }

    private var stepTable: ReportText.Block {
        let longest = steps.compactMap { $0.marks.updated?.p50 }.max() ?? 0
        return .table(
            [.right("step"), .left(""), .right("tap to update"), .bars, .right("change"), .left("verdict")],
            steps.map { step in
                let update = step.marks.updated?.p50
                let change = step.change?.updated.map { $0 == 0 ? "=" : Figure.change($0) } ?? ""
                let paint = step.verdict.paint
                return .cells(
                    [
                        .init("\(step.step)"), .init(step.name), .init(Figure.time(update)),
                        .init(bar: update ?? 0, of: longest, paint), .init(change), .init(step.verdict.rawValue, paint),
                    ], notes: [step.found] + [step.chance].compactMap { $0 } + step.absences.map(\.sentence))
            })
    }

    /// Both handlers, mark by mark.
    private var handlerTable: ReportText.Block {
        func row(
            _ name: String, _ paint: ReportText.Paint = .plain, _ times: (TapReport) -> Distribution?
        ) -> ReportText.Row {
            let figures = [legacy, shipping].map(times).flatMap { [$0?.p50, $0?.p99] }
            return .texts([name] + figures.map { Figure.time($0) }, paint)
        }
        var rows = LatencyMark.allCases.map { mark in row(mark.rawValue) { $0.marks[mark] } }
        if legacy.bounds != nil, shipping.bounds != nil {
            // Those that the processor's cycles decide.
            rows.append(.heading("with the fewest and the most cycles that the manual of the core allows:"))
            rows += [LatencyMark.handled, .updated, .settled].flatMap { mark in
                [
                    row("\(mark.rawValue), least", .faint) { $0.bounds?.fewest[mark] },
                    row("\(mark.rawValue), most", .faint) { $0.bounds?.most[mark] },
                ]
            }
        }
        if legacy.atRest != nil {
            rows.append(.heading(ReportText.restHeading))
            rows += ReportText.restingMarks.map { mark in row(mark.rawValue) { $0.atRest?[mark] } }
        }
        rows += legacy.senses.titled.indices.map { index in
            row(legacy.senses.titled[index].title, .faint) { $0.senses.titled[index].times }
        }
        return .table(
            [.left(""), .right("legacy p50"), .right("p99"), .right("shipping p50"), .right("p99")], rows)
    }

    private var floor: String {
        "panel's own, p99: the update takes \(Figure.time(panelFloor.updated?.p99)) on its bus, the removal "
            + Figure.time(panelFloor.settled?.p99)
    }

    private var essayTable: [ReportText.Block] {
        if essay.isEmpty { return [] }
        let reasons = essay.compactMap { part in
            part.reason.map { ReportText.Block.words("\(part.stage): \($0).", .faint) }
        }
        return [
            .table(
                [.left("legacy, stage by stage"), .right("share"), .left("in the essay")],
                essay.map { .texts([$0.stage, Figure.share($0.share), $0.finding ?? "not in it"]) })
        ]
            + (reasons.isEmpty
                ? [] : [.words("Where the two disagree, and why (no cost is tuned to fit):", .faint)] + reasons)
    }

    /// Legacy's tap-to-update by the phone's list and by what a connection event carries.
    private var causeTable: [ReportText.Block] {
        guard let points = legacyCauses, let first = points.first else { return [] }
        let packets = points.filter { $0.database == first.database }.map(\.packetsPerEvent)
        let databases = points.filter { $0.packetsPerEvent == first.packetsPerEvent }.map(\.database)
        return [
            .words(
                "legacy's tap-to-update (p50), by items on the phone and packets of a connection event; it gives up waiting after "
                    + Figure.time(phonePatience), .faint),
            .table(
                [.left("")] + packets.map { .right(Figure.count($0, "packet")) },
                databases.map { database in
                    .texts(
                        [Figure.count(database, "item")]
                            + points.filter { $0.database == database }.map { Figure.time($0.updated?.p50) })
                }),
        ]
    }

    /// The model beside the firmware's image.
    private var firmwareTable: [ReportText.Block] {
        guard let firmware else { return [] }
        return [
            .table(
                [.left("processor time"), .right("model"), .right("firmware"), .right("difference")],
                firmware.stages.map { stage in
                    .texts([
                        stage.name, Figure.time(stage.modelled), Figure.time(stage.measured),
                        Figure.difference(stage.difference),
                    ])
                })
        ]
    }
}

extension ReportText {
    /// Above the marks of taps that follow a rest.
    static let restHeading = "at rest, each tap 12 s after what the one before has caused:"
    /// The marks that depend on the connection's tempo, and what the wearer waits for.
    static let restingMarks: [LatencyMark] = [.updated, .sent, .acknowledged]

    static func conditions(items: Int, database: Int, taps: Int, seed: UInt64) -> String {
        "\(Figure.count(items, "item")) on the watch, \(Figure.count(database)) on the phone, taps: \(Figure.count(taps)), seed: \(seed)"
    }

    /// What a report's figures rest on without a document that supports it.
    static func assumed(_ sentences: [String]) -> [Block] {
        sentences.isEmpty ? [] : [.words("Assumed: " + sentences.joined(separator: " "), .faint)]
    }
}

extension Verdict {
    /// Green for what is as it should be, red for what keeps the wearer waiting, yellow in between.
    fileprivate var paint: ReportText.Paint {
        switch self {
        case .kept, .fixed, .madeAsynchronous, .proven, .confirmed, .removed: .good
        case .slow, .attributed, .refuted: .bad
        case .improved, .predicted: .open
        case .reference: .reference
        }
    }
}
