import WatchLink

/// What the complication shows from a time on, merged from the spans of all sources. It may exceed what a watch stores.
package struct ComplicationPlan: Equatable, Sendable {
    package struct Step: Equatable, Sendable {
        /// When the complication begins to show the span, in local seconds since 1970.
        package let date: UInt32
        package let span: ComplicationSpan

        /// The step as an entry. It expires with its span, even if another step follows sooner.
        var entry: ComplicationEntry { span.entry(at: date) }
    }

    /// In ascending order, at least a minute apart. The first step is the one shown at the plan's beginning, if there is one.
    package let steps: [Step]

    /// At each moment the plan shows the span that precedes all others. When that span ends, the one that it replaced returns.
    ///
    /// - Parameter now: the plan's beginning, in local seconds since 1970.
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

    /// Each entry expires with its span.
    package var entries: [ComplicationEntry] { steps.map(\.entry) }
}
