import CommandSupport
import TapLatency

/// What a day takes from the battery, as a text: a table for each handler, part by part, and what is assumed.
struct DayTable {
    let report: DayReport
    let width: Int
    let ink: TerminalInk

    var lines: [String] {
        let processor = report.processor.words.wrapped(to: width).map(ink.faint)
        return title.wrapped(to: width) + processor + report.handlers.flatMap(table) + [""] + ending
            + Assumptions(sentences: report.assumptions, width: width, ink: ink).lines
    }

    private var title: String {
        let day = report.day
        return "a day on \(report.profile): \(FigureText(count: day.looks, "look").plain), "
            + "\(FigureText(count: day.taps, "tap").plain), \(FigureText(count: day.changes, "change").plain) from the phone, "
            + "connected; \(FigureText(count: report.items, "item").plain) on the watch, "
            + "\(FigureText(count: report.database).plain) on the phone, seed: \(report.seed)"
    }

    private func table(_ use: DayUse) -> [String] {
        let day = report.day
        let happenings = DayHappening.allCases
        let head = row(
            use.handler,
            happenings.map(\.rawValue) + ["rest"] + happenings.map { "\($0.rawValue)s" } + ["day", "share"])
        let units = row("µAh", happenings.map { _ in "each" } + ["a day"] + happenings.map { _ in "a day" })
        let parts = ChargedPart.allCases.map { part in
            row(part.title, figures(use) { $0[part] } + [share(use.day[part], of: use.day.total)])
        }
        let sum = row("in all", figures(use, \.total) + [share(use.day.total, of: use.day.total)])
        func figures(_ use: DayUse, _ amount: (PartCharges) -> Double) -> [String] {
            [use.look, use.tap, use.change].map { figure(amount($0)) }
                + [figure(amount(use.idle))]
                + DayHappening.allCases.map { figure(amount(use.taken(by: $0, on: day))) } + [figure(amount(use.day))]
        }
        return ["", ink.faint(head), ink.faint(units)] + parts + [ink.bold(sum)]
    }

    /// The columns are as wide as 80 of a terminal allow.
    private func row(_ name: String, _ columns: [String]) -> String {
        let widths = [7, 7, 8, 7, 7, 7, 9, 7, 7]
        return name.padded(to: 14) + zip(columns, widths).map { $0.aligned(to: $1) }.joined()
    }

    /// A charge in microampere-hours. What is less than a thousandth of one, or than nothing by the chance of its phase, is nothing.
    private func figure(_ charge: Double) -> String {
        charge < 0.0005 ? "0" : FigureText(amount: charge, smallest: 3).plain
    }

    private func share(_ part: Double, of whole: Double) -> String {
        FigureText(share: whole > 0 ? max(0, part / whole) : .nan).plain
    }

    private var ending: [String] {
        let battery = FigureText(amount: report.batteryMilliampereHours).plain
        return report.handlers.map { use in
            guard let days = use.batteryDays else { return ink.bold("\(use.handler): a day takes nothing") }
            let day = FigureText(amount: use.day.total / 1_000).plain
            return ink.bold(
                "\(use.handler): \(day) mAh a day, \(FigureText(amount: days).plain) days from a battery of \(battery) mAh"
            )
        }
    }
}
