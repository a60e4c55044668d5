import Watch

/// A stage of the handler as it had grown: its share of the tap here, beside what the author of the nineteen steps found on a wrist.
package struct EssayShare: Sendable, Equatable {
    /// What the essay says of a duty. It gives no figures but that of the whole tap, five seconds and more.
    package enum Finding: String, Sendable {
        case none = "no effect"
        case barely = "barely noticeable, kept"
        case reload = "slow: its trigger reloaded a database"
        case majorRemoved = "one of the two major ones, removed"
        case majorDeferred = "one of the two major ones, made asynchronous"

        var isMajor: Bool {
            switch self {
            case .none, .barely, .reload: false
            case .majorRemoved, .majorDeferred: true
            }
        }
    }

    /// The stage's own name.
    package let stage: String
    /// Of the time that all stages of the mean tap take, 0 to 1.
    package let share: Double
    /// Nil for a stage that the essay does not have.
    package let finding: Finding?
    /// Why the two disagree; nil where they do not.
    package let reason: String?
}

extension LabReport {
    /// Legacy's stages in the order in which they run.
    package var essayShares: [EssayShare] {
        let all = legacy.stages.reduce(0) { $0 + $1.mean.total }
        guard all > 0 else { return [] }
        return legacy.stages.map { stage in
            let share = stage.mean.total / all
            let (finding, reason) = LabReport.essay[stage.name].map { ($0.finding, $0.reason) } ?? (nil, nil)
            // A major one is at least a tenth of the tap; any other one is below that.
            let disagrees = finding.map { $0.isMajor != (share >= 0.1) } ?? false
            return EssayShare(stage: stage.name, share: share, finding: finding, reason: disagrees ? reason : nil)
        }
    }

    private static let essay: [String: (finding: EssayShare.Finding, reason: String?)] = [
        SortingDatabase.name.description: (
            .majorRemoved,
            "here the order is a record in flash of a few bytes an item, written by short page programs; what the essay's database did "
                + "for it is not known"
        ),
        ListModel.name.description: (.none, nil),
        StrikeThrough.name.description: (.none, nil),
        RowRemoval.name.description: (.none, nil),
        PhoneMessage.name.description: (
            .majorDeferred,
            "here it is one packet and its answer, to a phone whose app runs (a number of the profile): two connection events; what the "
                + "essay's framework did is not known"
        ),
        Haptic.name.description: (.none, nil),
        RemainingCount.name.description: (.barely, nil),
        Placeholder.name.description: (.none, nil),
        ComplicationUpdate.name.description: (
            .reload,
            "here the reload has the phone send its whole list over the radio link, which outweighs everything else; the essay's was fixed "
                + "before the two major ones were found"
        ),
    ]
}
