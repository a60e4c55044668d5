import WatchLink

/// Which pace a link is to have, and when to ask for it: the watch's side of it, which asks; the phone's does not.
///
/// It is fast from the first word of a channel on, and for as long as the wearer does something or anything but
/// keep-alives is carried; it is slow once that has been over for `quietTime`. What a link has been asked for is not
/// asked for again.
///
/// ```
/// cause     open   tap                       ping   frame
/// ask       fast          ..quietTime..slow         fast
/// ```
package struct ConnectionParameterPolicy: Sendable {
    /// How long the pace stays fast after the last cause: 5 s.
    ///
    /// An existing watch stays fast so long for what a person waits for (PebbleOS, bluetooth/responsiveness.h: 5 s for
    /// fetching an app, 10 s for an action from a menu), and it outlasts the pauses of somebody who goes through a
    /// list. It is also the time that a peripheral should let pass before it asks a new connection to save power
    /// (Bluetooth Core Specification 5.4, volume 3, part C, appendix A: T_GAP(conn_pause_peripheral)).
    package static let quietTime = Microseconds.seconds(5)

    /// How long a change of pace is given before the next is asked for, because a controller refuses a second one
    /// meanwhile: 1.08 s. A change comes into force six meetings after it was agreed upon (the same, volume 6, part B,
    /// section 5.1.1), which at the slow pace are 45 ms apart, and of four the watch may miss three.
    package static let settlingTime = Microseconds.milliseconds(1_080)

    private enum State {
        /// There is no channel.
        case apart
        /// There is one, at the pace that the kernel has chosen.
        case untouched
        /// There is one, and its link was last asked for this pace, at this time.
        case asked(ConnectionPriority, at: Instant)
        /// This process may not ask, for as long as it runs.
        case refused
    }

    private var state = State.apart
    /// Until when there is cause to be fast.
    private var fastUntil = Instant.start

    /// A machine without a channel.
    package init() {}

    // MARK: What happens

    /// A channel stands, a new one. What the two sides have to tell each other at first is cause to be fast.
    package mutating func opened(at now: Instant) {
        switch state {
        case .apart, .untouched, .asked: state = .untouched
        case .refused: return
        }
        cause(at: now)
    }

    /// The channel is over.
    package mutating func closed() {
        switch state {
        case .apart, .untouched, .asked: state = .apart
        case .refused: break
        }
    }

    /// The wearer does something, and looks at what comes of it.
    package mutating func wearerActed(at now: Instant) { cause(at: now) }

    /// A frame was sent or received. Keep-alives are no cause: there is one every two seconds where nothing else is.
    package mutating func carried(_ frame: FrameKind, at now: Instant) {
        if frame != .ping, frame != .pong { cause(at: now) }
    }

    private mutating func cause(at now: Instant) {
        fastUntil = max(fastUntil, now + ConnectionParameterPolicy.quietTime)
    }

    // MARK: What is to be done

    /// The priority to request now; nil for none. `asked` takes the outcome of the request.
    package func wish(at now: Instant) -> ConnectionPriority? {
        let wanted = wantedPace(at: now)
        switch state {
        case .apart, .refused: return nil
        case .untouched: return wanted
        case .asked(let pace, let time):
            return pace != wanted && now >= time + ConnectionParameterPolicy.settlingTime ? wanted : nil
        }
    }

    /// When to look for a wish even if nothing happens; nil for never.
    package var wakeAt: Instant? {
        switch state {
        case .apart, .refused: nil
        case .untouched: .start
        case .asked(.fast, let time): max(fastUntil, time + ConnectionParameterPolicy.settlingTime)
        // A cause that came while the link became slow; one that comes later is heard of at once.
        case .asked(.slow, let time): fastUntil > time ? time + ConnectionParameterPolicy.settlingTime : nil
        }
    }

    /// The link was asked for a pace, with this outcome.
    ///
    /// - Returns: what to report to a person, the first time only.
    package mutating func asked(_ pace: ConnectionPriority, at now: Instant, _ outcome: PaceOutcome) -> BluetoothError?
    {
        switch (state, outcome) {
        case (.apart, .asked), (.refused, .asked), (.refused, .notAllowed): return nil
        case (.untouched, .asked), (.asked, .asked):
            state = .asked(pace, at: now)
            return nil
        case (.apart, .notAllowed), (.untouched, .notAllowed), (.asked, .notAllowed):
            state = .refused
            return .paceKept
        }
    }

    private func wantedPace(at now: Instant) -> ConnectionPriority { now < fastUntil ? .fast : .slow }
}
