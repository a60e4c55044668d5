import TapLatency

extension DayReport {
    /// What a day takes from the battery: a table for each handler, part by part, and what is assumed.
    var text: ReportText {
        let title =
            "a day on \(profile): \(Figure.count(day.looks, "look")), \(Figure.count(day.taps, "tap")), "
            + "\(Figure.count(day.changes, "change")) from the phone, connected; \(Figure.count(items, "item")) on the watch, "
            + "\(Figure.count(database)) on the phone, seed: \(seed)"
        return ReportText(
            [[.words(title), .words(processor.words, .faint)]] + handlers.map { [table($0)] } + [
                handlers.map { .words(ending($0), .bold) }, ReportText.assumed(assumptions),
            ])
    }

    private func table(_ use: DayUse) -> ReportText.Block {
        let happenings = DayHappening.allCases
        // A charge of less than a thousandth, or than nothing by the chance of its phase, is nothing.
        func figures(_ amount: (PartCharges) -> Double) -> [String] {
            ([use.look, use.tap, use.change, use.idle] + happenings.map { use.taken(by: $0, on: day) } + [use.day])
                .map(amount).map { $0 < 0.0005 ? "0" : Figure.amount($0, smallest: 3) }
        }
        func row(_ name: String, _ paint: ReportText.Paint = .plain, _ amount: (PartCharges) -> Double)
            -> ReportText.Row
        {
            let (part, all) = (amount(use.day), use.day.total)
            let share = Figure.share(all > 0 ? max(0, part / all) : .nan)
            return .texts([name] + figures(amount) + [share], paint)
        }
        let titles =
            happenings.map(\.rawValue) + ["rest"] + happenings.map { "\($0.rawValue)s" } + ["day", "share"]
        let units = ["µAh", "each", "each", "each", "a day", "a day", "a day", "a day", "", ""]
        return .table(
            [.left(use.handler)] + titles.map { .right($0) },
            [.texts(units, .faint)] + ChargedPart.allCases.map { part in row(part.title) { $0[part] } }
                + [row("in all", .bold, \.total)])
    }

    private func ending(_ use: DayUse) -> String {
        guard let days = use.batteryDays else { return "\(use.handler): a day takes nothing" }
        return
            "\(use.handler): \(Figure.amount(use.day.total / 1_000)) mAh a day, \(Figure.amount(days)) days from a battery of "
            + "\(Figure.amount(batteryMilliampereHours)) mAh"
    }
}

extension MomentReport {
    /// Launch, arrival and raised wrist beside the panel's own time.
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
                    "panel: the changed lines alone take this. p99/panel: each time over its own panel time, the 99th percentile."
                )
            ],
        ])
    }
}
