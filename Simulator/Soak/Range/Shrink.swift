extension Plan {
    /// The smallest plan found that breaks the same promise as this one: without the events, watches, phones and items that
    /// are not needed for that. By delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing
    /// input", 2002) over the events.
    package func shrunk() -> Plan { shrunk(parts: WorldParts()) }

    func shrunk(parts: WorldParts) -> Plan {
        guard let promise = run(.silent, parts: parts).violation?.promise else { return self }
        func breaks(_ plan: Plan) -> Bool { plan.run(.silent, parts: parts).violation?.promise == promise }
        var best = self
        var size = max(1, best.events.count / 2)
        while true {
            var start = 0
            var isSmaller = false
            while start < best.events.count {
                var candidate = best
                candidate.events.removeSubrange(start..<min(start + size, candidate.events.count))
                if breaks(candidate) {
                    best = candidate
                    isSmaller = true
                } else {
                    start += size
                }
            }
            if size == 1, !isSmaller { break }
            size = max(1, size / 2)
        }
        for candidate in best.withFewer where breaks(candidate) && candidate.isSmaller(than: best) { best = candidate }
        for items in [1, 2, 3] where best.items[0] > items {
            var candidate = best
            candidate.items[0] = items
            if breaks(candidate) {
                best = candidate
                break
            }
        }
        return best
    }

    /// The plan with one watch, with two, and with one phone.
    private var withFewer: [Plan] {
        var plans: [Plan] = []
        for count in 1..<max(watches, 1) {
            var plan = self
            plan.watches = count
            plans.append(plan)
        }
        if items.count > 1 {
            plans += (plans + [self]).map { plan in
                var plan = plan
                plan.items = [plan.items[0]]
                return plan
            }
        }
        return plans
    }

    private func isSmaller(than other: Plan) -> Bool {
        watches <= other.watches && items.count <= other.items.count
            && (watches, items.count) != (other.watches, other.items.count)
    }
}
