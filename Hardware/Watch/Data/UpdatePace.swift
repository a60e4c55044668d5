import WatchLink

/// Limits how often the face shows changes by the phone: once in ten minutes, as on other watches. An earlier change waits. The
/// messages that follow a connection count as one change.
///
/// If the wearer looks or acts, or the phone pushes, a waiting change shows at once, and so does the first change after that.
struct UpdatePace: BitwiseCopyable {
    private enum State: BitwiseCopyable {
        case free
        case shown(next: Instant)
        /// The parts of a change are arriving. Until all have arrived, the face shows this older content. The change must not
        /// show before `next`; nil means that it may show at once.
        case gathering(ComplicationContent, next: Instant?)
        /// A newer change waits until `next`. The face still shows this content.
        case waiting(ComplicationContent, next: Instant)
    }

    private var state = State.free
    /// The newest revision that the phone had when it connected. Until the watch has applied it, all changes of the face count
    /// as one.
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

    /// Records a change of the content from `before`. Returns whether the face shows the change now.
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

    /// Ends the wait for the parts of a change: all have arrived, or no more will come. Returns whether the face shows the
    /// change now.
    mutating func endGathering(at now: Instant) -> Bool {
        switch state {
        case .gathering(let before, let next?) where now < next:
            state = .waiting(before, next: next)
            return false
        case .gathering: return show(at: now)
        case .free, .shown, .waiting: return false
        }
    }

    /// Shows a waiting change if it is due. Returns whether it was due.
    mutating func finishIfDue(at now: Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        return show(at: now)
    }

    /// Lets the face show the next change at once. Called if the wearer looks or acts, or if the phone pushes.
    mutating func release() { state = .free }

    private mutating func show(at now: Instant) -> Bool {
        state = .shown(next: now + WatchLimits.complicationPace)
        return true
    }
}
