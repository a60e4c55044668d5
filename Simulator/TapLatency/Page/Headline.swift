/// What the page begins with: how long a tap takes before and after, and what was measured.
struct Headline: Sendable {
    let report: LabReport

    /// How the two compare, in a few words.
    var title: String {
        guard let speedUp = report.speedUp, speedUp.isFinite, speedUp > 0 else { return "A tap, measured" }
        return speedUp >= 1
            ? "A tap, \(FigureText(amount: speedUp).text) times faster"
            : "A tap, \(FigureText(amount: 1 / speedUp).text) times slower"
    }

    var markup: Markup {
        .tag(
            "header",
            .tag("p", ["class": "overline"], ["Tapline lab"]),
            .tag("h1", .text(title)),
            .tag(
                "div", ["class": "contrast"],
                [
                    figure("slow", of: report.legacy),
                    .tag("span", ["class": "arrow", "aria-label": "against"], ["→"]),
                    figure("fast", of: report.shipping),
                    .tag(
                        "p", ["class": "meaning"],
                        ["Median tap-to-update: from the touch until the struck row is on the panel."]),
                ]),
            conditions)
    }

    private func figure(_ style: String, of tap: TapReport) -> Markup {
        .tag(
            "p", ["class": style],
            [
                .tag("strong", .figure(FigureText(time: tap.marks.updated?.p50))),
                .tag("span", .text(tap.handler)),
            ])
    }

    /// What was measured, and on what.
    private var conditions: Markup {
        let pairs = [
            ("profile", report.profile),
            ("items on the watch", FigureText(count: report.items).text),
            ("items in the phone’s database", FigureText(count: report.database).text),
            ("taps of each measurement", FigureText(count: report.taps).text),
            ("seed", "\(report.seed)"),
            ("processor’s time", report.shipping.processor.rawValue),
        ]
        return .tag(
            "dl", ["class": "conditions"],
            pairs.map { name, value in .tag("div", .tag("dt", .text(name)), .tag("dd", .text(value))) })
    }
}
