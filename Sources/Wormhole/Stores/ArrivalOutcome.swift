import WatchLink

/// What a store has done with a message that has arrived.
package enum ArrivalOutcome: Equatable, Sendable {
    /// It took effect, durably.
    case applied
    /// It took effect before, and nothing has changed now: it was sent again. Nobody hears it a second time.
    case repeated
    /// It can never be applied.
    case rejected(RejectionReason)

    package init(_ outcome: ApplyOutcome) {
        switch outcome {
        case .applied: self = .applied
        case .rejected(let reason): self = .rejected(reason)
        }
    }

    /// What the peer is told.
    package var acknowledged: ApplyOutcome {
        switch self {
        case .applied, .repeated: .applied
        case .rejected(let reason): .rejected(reason)
        }
    }
}
