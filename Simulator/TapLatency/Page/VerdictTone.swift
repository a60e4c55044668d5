/// How a verdict looks: its chip, and the bar of its step.
enum VerdictTone: String, Sendable {
    /// There is nothing to judge.
    case neutral
    /// The wearer does not wait.
    case good
    /// It is known more of, and not settled.
    case open
    /// The wearer waits, or the hypothesis fell.
    case bad

    /// The tone of a verdict.
    init(_ verdict: Verdict) {
        switch verdict {
        case .reference: self = .neutral
        case .kept, .fixed, .removed, .madeAsynchronous, .proven, .confirmed: self = .good
        case .attributed, .improved, .predicted: self = .open
        case .slow, .refuted: self = .bad
        }
    }
}

extension Verdict {
    /// The verdict as a chip.
    var chip: Markup {
        .tag("span", ["class": "chip tone-\(VerdictTone(self).rawValue)"], [.text(rawValue)])
    }
}
