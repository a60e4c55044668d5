import WatchLink

package enum ArrivalOutcome: Equatable, Sendable {
    case applied
    /// The message was applied before. Nothing changes, and listeners do not get it again.
    case repeated
    case rejected(RejectionReason)

    package init(_ outcome: ApplyOutcome) {
        switch outcome {
        case .applied: self = .applied
        case .rejected(let reason): self = .rejected(reason)
        }
    }

    package var acknowledged: ApplyOutcome {
        switch self {
        case .applied, .repeated: .applied
        case .rejected(let reason): .rejected(reason)
        }
    }
}
