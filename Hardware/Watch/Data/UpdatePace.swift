import WatchLink

/// Limits how often the face shows changes that the phone makes: at most once in ten minutes, as on other watches. A change
/// that comes sooner waits. After a phone connects, all its messages until the watch is up to date are one change.
///
/// If the wearer raises or uses the watch, or if the phone sends a push that counts against its daily budget, a waiting change
/// shows immediately. The next change then shows immediately, too.
struct UpdatePace: BitwiseCopyable {
    private enum State: BitwiseCopyable {
        case free
        case shown(next: Instant)
        /// The messages of a change are arriving, and the face still shows this older content. The face shows the change once
        /// all messages have arrived. If `next` is not nil, the face also waits until `next`.
        case gathering(ComplicationContent, next: Instant?)
        /// A change has arrived in full, and waits until `next`. The face still shows this older content.
        case waiting(ComplicationContent, next: Instant)
    }

    private var state = State.free
    /// The newest revision that the phone had issued when it connected. Until the watch has applied it, all changes of the
    /// face count as one.
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

    /// Call this when the phone has changed the content. The parameter `before` is the old content. If more messages of the
    /// change must arrive, `isWhole` is false. Returns whether the face shows the change now.
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

    /// Ends the wait for the messages of a change. Call this when all have arrived, or when the link is lost. Returns whether
    /// the face shows the change now.
    mutating func endGathering(at now: Instant) -> Bool {
        switch state {
        case .gathering(let before, let next?) where now < next:
            state = .waiting(before, next: next)
            return false
        case .gathering: return show(at: now)
        case .free, .shown, .waiting: return false
        }
    }

    /// Ends the wait of a change that is due. Returns whether the face shows such a change now.
    mutating func finishIfDue(at now: Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        return show(at: now)
    }

    /// Ends the wait of a change. The next change does not wait either. Call this if the wearer raises or uses the watch, or
    /// if the phone sends a push that counts against its daily budget.
    mutating func release() { state = .free }

    private mutating func show(at now: Instant) -> Bool {
        state = .shown(next: now + WatchLimits.complicationPace)
        return true
    }
}
