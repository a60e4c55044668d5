/// What the page ends with: how to read it.
struct ReadingNotes: Sendable {
    /// Numbers of the profile that no document supports, a sentence each.
    let assumptions: [String]

    var markup: Markup {
        .tag(
            "footer",
            .tag("h2", "How to read this"),
            .tag(
                "dl", ["class": "notes"],
                LatencyMark.allCases.map { mark in
                    .tag("div", .tag("dt", .text(mark.rawValue)), .tag("dd", .text(ReadingNotes.meaning(of: mark))))
                }),
            .tag("p", .text(ReadingNotes.figures)),
            .tag("p", .text(ReadingNotes.senses)),
            .tag("p", .text(ReadingNotes.sources)),
            .tag("p", .text(assumed))
        )
    }

    private static let figures = """
        Every time is counted in whole microseconds of the virtual clock, from the touch interrupt, and is written here \
        with three significant digits; the JSON report has all of them. Half of the taps stay within p50, 90 % within \
        p90 and 99 % within p99. An en dash means that no tap reached the mark.
        """

    private var assumed: String {
        assumptions.isEmpty ? "" : "Assumed, where no document says: " + assumptions.joined(separator: " ")
    }

    private static let senses = """
        Finger to interrupt, touch to light and touch to felt count from the finger on the panel: they hold the scan of the \
        touch controller, the panel’s own scan, its pixels and the rise of the haptic, which no software shortens. How many \
        times faster a handler is says nothing of these.
        """

    private static let sources = """
        Costs come from the device profile, each number with its source: the panel’s bus, page programs and erases of \
        the flash chip, the haptic driver, connection events of the radio. Where the processor’s time is executed, it is \
        the cycles of the handler’s machine code, with the wait states and the cache of the profile; where it is \
        counted, it is the instructions of each stage from a table, at the profile’s cycles for each. The same seed \
        gives the same page.
        """

    private static func meaning(of mark: LatencyMark) -> String {
        switch mark {
        case .handled: "The handler returned."
        case .updated: "The last line of the struck row is on the panel: what the wearer waits for."
        case .settled: "The row is gone and those below are in place, without the time it stays on purpose."
        case .durable: "The record is in flash."
        case .sent: "The radio has the message."
        case .committed:
            "The phone has it in its store, as the watch computes it from the answer and the phone’s own time."
        case .acknowledged: "The watch knows that the phone has it."
        }
    }
}
