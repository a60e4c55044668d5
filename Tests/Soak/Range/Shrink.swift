extension Plan {
    /// The smallest plan found that breaks the same promise as this one: without the events, watches, phones and items that
    /// are not needed for that. By delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing
    /// input", 2002) over the events.
    package func shrunk() -> Plan { shrunk(parts: WorldParts()) }

    func shrunk(parts: WorldParts) -> Plan {
        guard let promise = run(.silent, parts: parts).violation?.promise else { return self }
        func breaks(_ plan: Plan) -> Bool { plan.run(.silent, parts: parts).violation?.promise == promise }
        var best = self
        best.events = Shrink.events(events) { events in
            var candidate = self
            candidate.events = events
            return breaks(candidate)
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

extension DeliveryPlan {
    /// The smallest plan found that breaks the same promise as this one, as for the plans of lists.
    package func shrunk() -> DeliveryPlan { shrunk(parts: DeliveryParts()) }

    func shrunk(parts: DeliveryParts) -> DeliveryPlan {
        guard let promise = run(.silent, parts: parts).violation?.promise else { return self }
        let events = Shrink.events(deliveries) { events in
            DeliveryPlan(seed: seed, deliveries: events).run(.silent, parts: parts).violation?.promise == promise
        }
        return DeliveryPlan(seed: seed, deliveries: events)
    }
}

extension AccountPlan {
    /// The smallest plan found that breaks the same promise as this one, as for the plans of lists.
    package func shrunk() -> AccountPlan { shrunk(parts: AccountParts()) }

    func shrunk(parts: AccountParts) -> AccountPlan {
        guard let promise = run(.silent, parts: parts).violation?.promise else { return self }
        var best = self
        best.accounts = Shrink.events(accounts) { events in
            var candidate = self
            candidate.accounts = events
            return candidate.run(.silent, parts: parts).violation?.promise == promise
        }
        return best
    }
}

/// Delta debugging over the events of a plan.
private enum Shrink {
    /// As few of the events as still break what all of them break.
    static func events<Event>(_ all: [Event], breaking: ([Event]) -> Bool) -> [Event] {
        var best = all
        var size = max(1, best.count / 2)
        while true {
            var start = 0
            let before = best.count
            while start < best.count {
                var candidate = best
                candidate.removeSubrange(start..<min(start + size, candidate.count))
                if breaking(candidate) { best = candidate } else { start += size }
            }
            if size == 1, best.count == before { return best }
            size = max(1, size / 2)
        }
    }
}
