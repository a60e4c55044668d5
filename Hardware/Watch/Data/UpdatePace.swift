import WatchLink

/// Limits how often the face shows changes by the phone: at most once in ten minutes, as on other watches. A later change waits,
/// and the face keeps its content until then. Several messages after a handshake count as one change.
///
/// The wearer's actions and a push of the phone show at once. Both also free the next change, because an app in use has no
/// budget.
struct UpdatePace: BitwiseCopyable {
    private enum State: BitwiseCopyable {
        case free
        /// A change has been shown. Another before `next` waits.
        case shown(next: Instant)
        /// A change is arriving in parts, and the face shows the content from before it. The whole waits until `next`,
        /// if there was a change before.
        case gathering(ComplicationContent, next: Instant?)
        /// A change waits until `next`. The face shows the content from before it.
        case waiting(ComplicationContent, next: Instant)
    }

    private var state = State.free
    /// The newest revision of a latest value that the phone had at the handshake. All values up to it belong to one change.
    var latestExpected: UInt32 = 0

    var held: ComplicationContent? {
        switch state {
        case .free, .shown: nil
        case .gathering(let content, _), .waiting(let content, _): content
        }
    }

    var deadline: Instant? {
        switch state {
        case .free, .shown, .gathering: nil
        case .waiting(_, let next): next
        }
    }

    /// The phone has changed the content from `before`. Returns whether the face shows the change now.
    mutating func changed(from before: ComplicationContent, isWhole: Bool, at now: Instant) -> Bool {
        switch state {
        case .free:
            if isWhole { return show(at: now) }
            state = .gathering(before, next: nil)
        case .shown(let next), .waiting(_, let next):
            if isWhole, now >= next { return show(at: now) }
            state = isWhole ? .waiting(before, next: next) : .gathering(before, next: next)
        case .gathering: break
        }
        return false
    }

    /// Everything that the phone had at the handshake has arrived, or no more will. Returns whether the face shows it
    /// now.
    mutating func endGathering(at now: Instant) -> Bool {
        switch state {
        case .gathering(let before, let next?) where now < next:
            state = .waiting(before, next: next)
            return false
        case .gathering: return show(at: now)
        case .free, .shown, .waiting: return false
        }
    }

    /// Shows a waiting change that is due. Returns whether there was one.
    mutating func finishIfDue(at now: Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        return show(at: now)
    }

    /// The wearer looks or acts, or the phone pushes: the waiting change shows now, and so does the next.
    mutating func release() { state = .free }

    private mutating func show(at now: Instant) -> Bool {
        state = .shown(next: now + WatchLimits.complicationPace)
        return true
    }
}
