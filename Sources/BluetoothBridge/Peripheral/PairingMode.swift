import WatchLink

/// Decides when phones may pair with a watch. They may pair for two minutes after the watch's owner allows it. Only one phone
/// may pair at a time. After a failed pairing no phone may pair for a while, and this pause doubles with each failure. The
/// caller reports each event, and then reads `isPairable`.
package struct PairingMode: Equatable, Sendable {
    /// How long phones may pair after the owner has opened the mode.
    package static var length: Microseconds { .seconds(120) }
    static var shortestPause: Microseconds { .seconds(2) }
    /// The pause doubles at most this many times: from 2 s to 256 s.
    static var mostDoublings: UInt32 { 7 }
    /// The minimum time from the start of one comparison of digits to the start of the next. After a failed comparison, the
    /// owner can end this time early by opening the mode.
    static var questionInterval: Microseconds { .seconds(60) }

    private enum State: Equatable, Sendable {
        case closed
        case open(until: Instant)
        /// The wearer is comparing digits. The comparison began at `since`. No other phone may pair. The mode ends at `until`,
        /// but not before the comparison has ended.
        case asking(since: Instant, until: Instant)
        /// An attempt failed. No phone can pair before `resume`. The mode ends at `until`.
        case resting(resume: Instant, until: Instant)
    }

    private var state = State.closed
    /// The number of failed pairings since the last success. The count stops at `mostDoublings`.
    private var failures: UInt32 = 0

    package init() {}

    /// Call when the owner opens the mode. This ends a pause early, but does not reset the doubling of the pauses.
    package mutating func open(at now: Instant) {
        let end = now + PairingMode.length
        switch state {
        case .closed, .open, .resting: state = .open(until: end)
        case .asking(let since, _): state = .asking(since: since, until: end)
        }
    }

    /// Call when a phone wants the wearer to compare digits. Returns false if the caller must refuse the pairing without asking
    /// the wearer.
    package mutating func asks(at now: Instant) -> Bool {
        advance(to: now)
        guard case .open(let end) = state else { return false }
        state = .asking(since: now, until: end)
        return true
    }

    /// Call when a phone has bonded. This closes the mode and forgets earlier failures.
    package mutating func succeeded() {
        state = .closed
        failures = 0
    }

    /// Call when a pairing has failed, or when a device has tried to pair without comparing digits. Returns when phones may
    /// pair again; nil if the mode is now closed.
    @discardableResult package mutating func failed(at now: Instant) -> Instant? {
        advance(to: now)
        let pause = Microseconds(PairingMode.shortestPause.count << min(failures, PairingMode.mostDoublings))
        failures = failures &+ (failures < PairingMode.mostDoublings ? 1 : 0)
        switch state {
        case .closed: return nil
        case .open(let end): return rest(until: now + pause, end)
        case .asking(let since, let end):
            return rest(until: max(now + pause, since + PairingMode.questionInterval), end)
        case .resting(let resume, let end): return rest(until: max(now + pause, resume), end)
        }
    }

    private mutating func rest(until resume: Instant, _ end: Instant) -> Instant? {
        state = resume < end ? .resting(resume: resume, until: end) : .closed
        return resume < end ? resume : nil
    }

    /// Ends the mode or the pause if its time is over at `now`.
    package mutating func advance(to now: Instant) {
        switch state {
        case .closed, .asking: break
        case .open(let end): if now >= end { state = .closed }
        case .resting(let resume, let end): if now >= resume { state = now >= end ? .closed : .open(until: end) }
        }
    }

    /// Whether a phone may begin to pair, or is pairing.
    package var isPairable: Bool {
        switch state {
        case .open, .asking: true
        case .closed, .resting: false
        }
    }

    /// Whether no phone may pair until the owner opens the mode. False in a pause.
    package var isClosed: Bool { state == .closed }
}
