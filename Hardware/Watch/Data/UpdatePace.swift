import WatchLink

/// Limits how often the face shows changes by the phone: once in ten minutes, as on other watches. An earlier change waits, and
/// the face keeps its old content. The messages that follow a connection count as one change.
///
/// There is no limit while the app is in use. So if the wearer looks or acts, or the phone pushes, a waiting change shows at
/// once. The first change after that shows at once too.
struct UpdatePace: BitwiseCopyable {
    private enum State: BitwiseCopyable {
        case free
        /// A change is on the face. The next one waits until `next`.
        case shown(next: Instant)
        /// The parts of a change are arriving. The face still shows this content, the one before the change. If a change was
        /// shown earlier, this one waits until `next`.
        case gathering(ComplicationContent, next: Instant?)
        /// A change waits until `next`. The face still shows this content, the one before the change.
        case waiting(ComplicationContent, next: Instant)
    }

    private var state = State.free
    /// The revision of the newest value that the phone had when it connected. All latest values up to this revision count as one
    /// change.
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

    /// Records that the phone has changed the content. Returns whether the face shows the change now.
    ///
    /// - Parameters:
    ///   - before: the content before the change.
    ///   - isWhole: whether the change is complete.
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

    /// Records that all parts of a change have arrived, or that no more will come. Returns whether the face shows the change now.
    mutating func endGathering(at now: Instant) -> Bool {
        switch state {
        case .gathering(let before, let next?) where now < next:
            state = .waiting(before, next: next)
            return false
        case .gathering: return show(at: now)
        case .free, .shown, .waiting: return false
        }
    }

    /// Shows a waiting change if its time has come. Returns whether it did.
    mutating func finishIfDue(at now: Instant) -> Bool {
        guard let deadline, deadline <= now else { return false }
        return show(at: now)
    }

    /// Shows a waiting change and the next change at once. Called if the wearer looks or acts, or if the phone pushes.
    mutating func release() { state = .free }

    private mutating func show(at now: Instant) -> Bool {
        state = .shown(next: now + WatchLimits.complicationPace)
        return true
    }
}
