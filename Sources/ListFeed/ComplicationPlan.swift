import WatchLink

/// What the complication shows from a time on, merged from the spans of all sources, as far as they are known: it may be
/// longer than the time line of a watch.
package struct ComplicationPlan: Equatable, Sendable {
    /// A span that is shown from a date on.
    package struct Step: Equatable, Sendable {
        /// When it begins to be shown, in local seconds since 1970.
        package let date: UInt32
        package let span: ComplicationSpan

        /// The step as an entry that expires with its span, whatever follows.
        var entry: ComplicationEntry { span.entry(at: date) }
    }

    /// The steps, a minute apart or more, in ascending order. The first one is shown at the time from which the plan is,
    /// where anything is.
    package let steps: [Step]

    /// The plan of what is shown at `now`, in local seconds since 1970, and later. At each moment it is the span that
    /// precedes all others there; one that was in the place of another makes room for it when it ends.
    package init(_ spans: [ComplicationSpan], from now: UInt32) {
        let boundaries = Set(spans.map(\.start) + spans.compactMap(\.end)).sorted()
        var steps: [Step] = []
        var shown: Int?
        for boundary in boundaries {
            let winner = ComplicationPlan.winner(of: spans, at: boundary)
            if let winner, winner != shown { steps.append(Step(date: boundary, span: spans[winner])) }
            shown = winner
        }
        let current = steps.lastIndex { $0.date <= now } ?? 0
        self.steps = steps[current...].drop { $0.date <= now && !$0.span.covers(now) }
            .map(\.self)
    }

    private static func winner(of spans: [ComplicationSpan], at time: UInt32) -> Int? {
        var winner: Int?
        for index in spans.indices where spans[index].covers(time) {
            guard let best = winner, !spans[index].precedes(spans[best]) else {
                winner = index
                continue
            }
        }
        return winner
    }

    /// What is shown at a time.
    package func step(at time: UInt32) -> Step? {
        guard let step = steps.last(where: { $0.date <= time }), step.span.covers(time) else { return nil }
        return step
    }

    /// The entries, each of which expires with its span.
    package var entries: [ComplicationEntry] { steps.map(\.entry) }
}
