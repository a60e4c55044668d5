import WatchLink

/// Decides when phones may pair with a watch: only for a while after its owner has asked for it, for one phone at a time,
/// and after a failure only behind a pause, which doubles with each.
///
/// It takes in events with their times; whoever performs asks `isPairable` afterwards.
package struct PairingMode: Equatable, Sendable {
    /// How long phones may pair after the owner has opened the mode.
    package static var length: Microseconds { .seconds(120) }
    /// The pause after the first failure.
    static var shortestPause: Microseconds { .seconds(2) }
    /// The doublings of that pause: the longest is 256 s.
    static var mostDoublings: UInt32 { 7 }
    /// The least time from one question to the wearer to the next, unless the owner opens the mode in between.
    static var questionInterval: Microseconds { .seconds(60) }

    private enum State: Equatable, Sendable {
        case closed
        case open(until: Instant)
        /// The wearer compares digits since then. No other phone may pair.
        case asking(since: Instant, until: Instant)
        /// An attempt failed: nobody can pair before `resume`, and nobody after the mode's end.
        case resting(resume: Instant, until: Instant)
    }

    private var state = State.closed
    /// The failures since the last success.
    private var failures: UInt32 = 0

    package init() {}

    /// The owner opens the mode, which ends a pause too. The next pause is as long as it would have been.
    package mutating func open(at now: Instant) {
        let end = now + PairingMode.length
        switch state {
        case .closed, .open, .resting: state = .open(until: end)
        case .asking(let since, _): state = .asking(since: since, until: end)
        }
    }

    /// A phone wants the wearer to compare digits.
    ///
    /// - Returns: whether the wearer is to be asked. If not, the pairing is refused without a question.
    package mutating func asks(at now: Instant) -> Bool {
        advance(to: now)
        guard case .open(let end) = state else { return false }
        state = .asking(since: now, until: end)
        return true
    }

    /// A phone has bonded: the mode is closed, and earlier failures are forgotten.
    package mutating func succeeded() {
        state = .closed
        failures = 0
    }

    /// A pairing has failed, or was not by comparing digits.
    ///
    /// - Returns: the time before which nobody can pair; nil if the mode is closed anyway.
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

    /// Ends what is over by `now`.
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

    /// Whether the mode is over, and not only resting.
    package var isClosed: Bool {
        switch state {
        case .closed: true
        case .open, .asking, .resting: false
        }
    }
}
