extension Plan {
    /// Returns the smallest plan found that breaks the same promise. Removes events by delta debugging (Zeller and
    /// Hildebrandt, "Simplifying and isolating failure-inducing input", 2002), and then makes the cast smaller.
    func shrunk(parts: Parts = Parts()) -> Plan {
        guard let promise = run(parts: parts).violation?.promise else { return self }
        func breaks(_ plan: Plan) -> Bool { plan.run(parts: parts).violation?.promise == promise }
        var best = withFewerEvents(breaks)
        let smaller = { S.smaller(best.cast).lazy.map { Plan(seed: seed, cast: $0, events: best.events) } }
        while let plan = smaller().first(where: breaks) { best = plan }
        return best
    }

    private func withFewerEvents(_ breaks: (Plan) -> Bool) -> Plan {
        var best = self
        var size = max(1, events.count / 2)
        while true {
            let before = best.events.count
            var start = 0
            while start < best.events.count {
                var candidate = best
                candidate.events.removeSubrange(start..<min(start + size, candidate.events.count))
                if breaks(candidate) { best = candidate } else { start += size }
            }
            if size == 1, best.events.count == before { return best }
            size = max(1, size / 2)
        }
    }
}
