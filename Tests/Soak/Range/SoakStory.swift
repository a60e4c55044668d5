/// One of the three plans that a seed draws.
package enum SoakStory {
    case lists(Plan)
    case deliveries(DeliveryPlan)
    case accounts(AccountPlan)

    /// What has come of a plan; where a promise was broken, of the smallest plan found that breaks it.
    package struct Told {
        package var lines: [String]
        package var violation: Violation?
        /// The plan as `--plan` reads it.
        package var plan: String
    }

    /// Reads a plan, also behind a story.
    package init(text: String) throws(SoakError) {
        if let plan = try? DeliveryPlan(text: text) {
            self = .deliveries(plan)
        } else if let plan = try? AccountPlan(text: text) {
            self = .accounts(plan)
        } else {
            self = .lists(try Plan(text: text))
        }
    }

    /// Has it happen, and tells it.
    package func told() -> Told {
        switch self {
        case .lists(let plan):
            let outcome = plan.run(.told)
            guard outcome.violation != nil else { return Told(lines: outcome.story, violation: nil, plan: plan.text) }
            let small = plan.shrunk()
            let again = small.run(.told)
            return Told(again.story, again.violation, log: again.log, plan: small.text)
        case .deliveries(let plan):
            let outcome = plan.run(.told)
            guard outcome.violation != nil else { return Told(lines: outcome.story, violation: nil, plan: plan.text) }
            let small = plan.shrunk()
            let again = small.run(.told)
            return Told(again.story, again.violation, log: again.log, plan: small.text)
        case .accounts(let plan):
            let outcome = plan.run(.told)
            guard outcome.violation != nil else { return Told(lines: outcome.story, violation: nil, plan: plan.text) }
            let small = plan.shrunk()
            let again = small.run(.told)
            return Told(again.story, again.violation, log: [], plan: small.text)
        }
    }
}

extension SoakStory.Told {
    fileprivate init(_ story: [String], _ violation: Violation?, log: [String], plan: String) {
        lines = story + ["", "The programs' logs:"] + log.map { "  \($0)" }
        if let violation { lines += ["", "NOT KEPT: \(violation.promise.rawValue): \(violation.what)"] }
        lines.append("The plan, for `soak --plan FILE`:")
        self.violation = violation
        self.plan = plan
    }
}
