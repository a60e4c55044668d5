import WatchLink

/// What the complication shows from a given time on, merged from the spans of all sources. A span is a text, and the
/// period in which its source wants to show it. A plan may have more steps than a watch can store.
package struct ComplicationPlan: Equatable, Sendable {
    package struct Step: Equatable, Sendable {
        /// When the complication begins to show the span, in local seconds since 1970.
        package let date: UInt32
        package let span: ComplicationSpan

        /// The step as an entry for the watch. The entry expires when the span ends, even if the next step begins
        /// before that.
        var entry: ComplicationEntry { span.entry(at: date) }
    }

    /// The steps in ascending order of date, at least a minute apart. If the complication shows a step when the plan begins,
    /// that step is the first.
    package let steps: [Step]

    /// Plans which span the complication shows at each time. Where spans overlap, `ComplicationSpan.precedes` chooses the
    /// span to show.
    ///
    /// - Parameter now: when the plan begins, in local seconds since 1970.
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

    package func step(at time: UInt32) -> Step? {
        guard let step = steps.last(where: { $0.date <= time }), step.span.covers(time) else { return nil }
        return step
    }

    /// The steps as entries for the watch. Each expires when its span ends.
    package var entries: [ComplicationEntry] { steps.map(\.entry) }
}
