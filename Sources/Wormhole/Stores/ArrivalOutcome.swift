import WatchLink

/// The result of applying a message that has arrived.
package enum ArrivalOutcome: Equatable, Sendable {
    /// The message has taken effect durably.
    case applied
    /// The message had taken effect before and was sent again. Nothing changes, and listeners do not get it again.
    case repeated
    /// The message can never be applied.
    case rejected(RejectionReason)

    package init(_ outcome: ApplyOutcome) {
        switch outcome {
        case .applied: self = .applied
        case .rejected(let reason): self = .rejected(reason)
        }
    }

    /// The outcome that the acknowledgement tells the peer.
    package var acknowledged: ApplyOutcome {
        switch self {
        case .applied, .repeated: .applied
        case .rejected(let reason): .rejected(reason)
        }
    }
}
