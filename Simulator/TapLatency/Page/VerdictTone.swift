/// How a verdict looks: its chip, and the bar of its step.
enum VerdictTone: String, Sendable {
    /// There is nothing to judge.
    case neutral
    /// The wearer does not wait.
    case good
    /// Progress, but the wearer still waits.
    case open
    /// The wearer waits, or the hypothesis fell.
    case bad

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
    var chip: Markup {
        .tag("span", ["class": "chip tone-\(VerdictTone(self).rawValue)"], [.text(rawValue)])
    }
}
