import DeviceModel
import HostSystem
import TapLatency

extension LabReport {
    var page: [UInt8] { LabFiles.page(PackageResources.LabPage_html, json) }

    var text: ReportText {
        let brackets = shipping.bounds == nil ? "" : "; in brackets, what the manual of its core allows"
        let title = "\(profile): \(ReportText.conditions(items: items, database: database, taps: taps, seed: seed))"
        return ReportText([
            [.words(title), .words(shipping.processor.words + brackets, .faint)],
            [stepTable, .words("+: the essay does not have this step", .faint)],
            [handlerTable, .words(floor, .faint)],
            speedUp.map {
                [.words("shipping updates \(Figure.count(Int($0.rounded()))) times as fast as legacy", .bold)]
            } ?? [],
            essayTable, caseTable, phoneTable, causeTable, legacy.codeOverview, shipping.codeOverview,
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
                        .init((step.isAdded ? "+" : "") + step.step), .init(step.name), .init(Figure.time(update)),
                        .init(bar: update ?? 0, of: longest, paint), .init(change), .init(step.verdict.rawValue, paint),
                    ], notes: [step.found] + [step.chance].compactMap { $0 } + step.absences.map(\.sentence))
            })
    }

    private var handlerTable: ReportText.Block {
        func row(
            _ name: String, _ paint: ReportText.Paint = .plain, _ times: (TapReport) -> Distribution?
        ) -> ReportText.Row {
            let figures = [legacy, shipping].map(times).flatMap { [$0?.p50, $0?.p99] }
            return .texts([name] + figures.map { Figure.time($0) }, paint)
        }
        var rows = LatencyMark.allCases.map { mark in row(mark.rawValue) { $0.marks[mark] } }
        if legacy.bounds != nil, shipping.bounds != nil {
            // Only these marks depend on the processor's cycles.
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
        let head = ReportText.Block.words("If the two disagree, the reason is here (no cost is tuned to fit):", .faint)
        let table = ReportText.Block.table(
            [.left("legacy, stage by stage"), .right("share"), .left("in the essay")],
            essay.map { .texts([$0.stage, Figure.share($0.share), $0.finding ?? "not in it"]) })
        return [table] + (reasons.isEmpty ? [] : [head] + reasons)
    }

    private var caseTable: [ReportText.Block] {
        guard let cases = essayCases else { return [] }
        let assumed = Set(cases.compactMap(\.assumed)).sorted()
        return [
            .words(
                "legacy's tap-to-update (p50), and that of its stages, by what makes the two major ones large", .faint),
            .table(
                [.left(""), .right("updated"), .right("sorting"), .right("message"), .right("complication")],
                cases.map { point in
                    .texts(
                        [point.condition]
                            + [point.updated, point.sorting, point.message, point.complication].map { Figure.time($0) })
                }),
        ] + ReportText.assumed(assumed)
    }

    private var phoneTable: [ReportText.Block] {
        guard let phone, let server = phone.first?.server else { return [] }
        return [
            .words(
                "the phone's half: an item is checked off on the phone, and a calendar server takes "
                    + "\(Figure.time(server)) for each request (assumed)", .faint),
            .table(
                [.left(""), .right("requests"), .right("until the row goes")],
                phone.map { .texts([$0.name, Figure.count($0.requests), Figure.time($0.time)]) }),
        ]
    }

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
}

extension ReportText {
    static let restHeading = "at rest, each tap 12 s after the work of the previous tap has ended:"
    /// The marks that a report gives for taps on a watch at rest (see `restHeading`): the update, and the two marks that depend
    /// on the connection interval.
    static let restingMarks: [LatencyMark] = [.updated, .sent, .acknowledged]

    static func conditions(items: Int, database: Int, taps: Int, seed: UInt64) -> String {
        "\(Figure.count(items, "item")) on the watch, \(Figure.count(database)) on the phone, taps: \(Figure.count(taps)), seed: \(seed)"
    }

    static func assumed(_ sentences: [String]) -> [Block] {
        sentences.isEmpty ? [] : [.words("Assumed: " + sentences.joined(separator: " "), .faint)]
    }
}

extension Verdict {
    /// The colour of a step with this verdict: green for good, red for bad, yellow for in between, and cyan for the reference.
    fileprivate var paint: ReportText.Paint {
        switch self {
        case .kept, .fixed, .madeAsynchronous, .proven, .confirmed, .removed: .good
        case .slow, .attributed, .refuted: .bad
        case .improved, .predicted: .open
        case .reference: .reference
        }
    }
}

extension MomentReport {
    var text: ReportText {
        func milliseconds(_ time: UInt64) -> String { Figure.amount(Double(time) / 1_000, smallest: 1) }
        return ReportText([
            [
                .words(
                    "launch, arrival and raised wrist on \(profile), \(Figure.count(items, "item")), seed: \(seed)"),
                .words(processor.words, .faint),
            ],
            [
                .table(
                    [.left("ms"), .right("times"), .right("p50"), .right("p99"), .right("panel"), .right("p99/panel")],
                    moments.map { figures in
                        .texts([
                            figures.moment.rawValue, "\(figures.count)", milliseconds(figures.p50),
                            milliseconds(figures.p99), milliseconds(figures.floor),
                            Figure.amount(figures.ratio, smallest: 2),
                        ])
                    })
            ],
            [
                .words(
                    "panel: the changed lines alone. p99/panel: the 99th percentile of the ratio of a time to its panel time."
                )
            ],
        ])
    }
}
