/// What the page ends with: how to read it.
struct ReadingNotes: Sendable {
    /// The notes.
    var markup: Markup {
        .tag(
            "footer",
            .tag("h2", "How to read this"),
            .tag(
                "dl", ["class": "notes"],
                LatencyMark.allCases.map { mark in
                    .tag("div", .tag("dt", .text(mark.rawValue)), .tag("dd", .text(ReadingNotes.meaning(of: mark))))
                }),
            .tag(
                "p",
                .text(
                    "Every time is counted in whole microseconds of the virtual clock, from the touch interrupt, and is "
                        + "written here with three significant digits; the JSON report has all of them. A p50 is the "
                        + "time that half of the taps stay within, p90 and p99 accordingly. An en dash stands where no tap reached a mark."
                )
            ),
            .tag(
                "p",
                .text(
                    "Costs come from the device profile, each number with its source: the panel’s bus, page programs and "
                        + "erases of the flash chip, the haptic driver, connection events of the radio. The processor’s "
                        + "time is the instructions of each stage, counted in the firmware image, by the profile’s clock "
                        + "and its cycles an instruction. Nothing sleeps for show. The same seed gives the same page."))
        )
    }

    private static func meaning(of mark: LatencyMark) -> String {
        switch mark {
        case .handled: "The handler returned."
        case .updated: "The last line of the struck row is on the panel: what the wearer waits for."
        case .settled: "The row is gone and those below are in place, without the time it stays on purpose."
        case .durable: "The record is in flash."
        case .sent: "The message was handed to the radio."
        case .committed:
            "The phone has it in its store, as the watch works it out from the answer and the phone’s own time."
        case .acknowledged: "The watch knows that the phone has it."
        }
    }
}
