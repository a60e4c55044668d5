/// Decides how fast a watch's link should be, and when the watch requests a change. The phone requests none.
///
/// A link is fast from the moment it is opened, and for `quietTime` after the wearer last did something or a frame other
/// than a keep-alive was carried; then it is slow. A request is not repeated, and the next one waits for `settlingTime`.
///
/// ```
/// cause     open   tap                       ping   frame
/// request   fast          ..quietTime..slow         fast
/// ```
package struct ConnectionParameterPolicy: Sendable {
    /// How long the standard link stays fast after the last cause: 5 s.
    ///
    /// An existing watch stays fast for that long for what a person waits for (PebbleOS, bluetooth/responsiveness.h:
    /// 5 s for fetching an app, 10 s for an action from a menu), and it outlasts the pauses of somebody who works through
    /// a list. It is also the time that a peripheral should wait before it asks a new connection to save power
    /// (Bluetooth Core Specification 5.4, volume 3, part C, appendix A: T_GAP(conn_pause_peripheral)).
    package static var quietTime: Microseconds { .seconds(5) }

    /// How long the standard link leaves a change to come into force before it requests the next: 1.08 s.
    package static var settlingTime: Microseconds { settlingTime(interval: .milliseconds(45), latency: 3) }

    /// How long a change takes to come into force where the slow link has an event every `interval`, and the watch may
    /// sleep through `latency` of them in a row: six events that it must not sleep through (Bluetooth Core Specification
    /// 5.4, volume 6, part B, section 5.1.1). A controller refuses another change meanwhile.
    package static func settlingTime(interval: Microseconds, latency: Int) -> Microseconds {
        // Added up: where the processor has 32 bits, Embedded Swift needs the heap for a product of two variables of 64.
        var time = Microseconds.zero
        for _ in 0..<6 * (latency + 1) { time = time + interval }
        return time
    }

    private enum State {
        /// There is no link.
        case closed
        /// There is one, with the parameters that the system chose, and a cause to be fast at `lastCause`.
        case opened(lastCause: Instant)
        /// There is one, which was asked for this priority at this time; the newest cause to be fast was at `lastCause`.
        case requested(ConnectionPriority, at: Instant, lastCause: Instant)
        /// This process may not request anything, for as long as it runs.
        case refused
    }

    private let quietTime: Microseconds
    private let settlingTime: Microseconds
    private var state = State.closed

    /// A policy for a link that is not open, with the standard times.
    package init() {
        self.init(
            quietTime: ConnectionParameterPolicy.quietTime, settlingTime: ConnectionParameterPolicy.settlingTime)
    }

    /// A policy for a link that is not open, with these times.
    package init(quietTime: Microseconds, settlingTime: Microseconds) {
        self.quietTime = quietTime
        self.settlingTime = settlingTime
    }

    // MARK: Events

    /// A new link was opened, in place of the one before. The handshake that follows is a cause to be fast.
    package mutating func opened(at now: Instant) {
        switch state {
        case .closed, .opened, .requested: state = .opened(lastCause: now)
        case .refused: break
        }
    }

    /// The link was closed.
    package mutating func closed() {
        switch state {
        case .closed, .opened, .requested: state = .closed
        case .refused: break
        }
    }

    /// The wearer did something and looks at the result.
    package mutating func wearerActed(at now: Instant) {
        switch state {
        case .closed, .refused: break
        case .opened(let lastCause): state = .opened(lastCause: max(lastCause, now))
        case .requested(let priority, let time, let lastCause):
            state = .requested(priority, at: time, lastCause: max(lastCause, now))
        }
    }

    /// A frame was sent or received. A keep-alive is no cause to be fast: an idle link carries one every two seconds.
    package mutating func carried(_ frame: FrameKind, at now: Instant) {
        if frame != .ping, frame != .pong { wearerActed(at: now) }
    }

    // MARK: Decisions

    /// The priority to request now, nil for none. `requested` takes the outcome of the request.
    package func wish(at now: Instant) -> ConnectionPriority? {
        switch state {
        case .closed, .refused: return nil
        case .opened(let lastCause): return wanted(at: now, lastCause: lastCause)
        case .requested(let priority, let time, let lastCause):
            let wanted = wanted(at: now, lastCause: lastCause)
            return priority != wanted && now >= time + settlingTime ? wanted : nil
        }
    }

    /// The earliest time at which `wish` is not nil if nothing happens until then, which may have passed; nil for never.
    package var wakeAt: Instant? {
        switch state {
        case .closed, .refused: return nil
        case .opened(let lastCause): return lastCause
        case .requested(.fast, let time, let lastCause): return max(lastCause + quietTime, time + settlingTime)
        case .requested(.slow, let time, let lastCause):
            let request = max(lastCause, time + settlingTime)
            return request < lastCause + quietTime ? request : nil
        }
    }

    /// Notes that the link was asked for `priority`, with this outcome.
    ///
    /// - Returns: whether a person should be told of a refusal: of the first one only.
    package mutating func requested(
        _ priority: ConnectionPriority, at now: Instant, _ outcome: PriorityRequestOutcome
    ) -> PriorityRequestNews {
        switch (state, outcome) {
        case (.closed, .requested), (.refused, .requested), (.refused, .notAllowed): return .nothing
        case (.opened(let lastCause), .requested), (.requested(_, _, let lastCause), .requested):
            state = .requested(priority, at: now, lastCause: lastCause)
            return .nothing
        case (.closed, .notAllowed), (.opened, .notAllowed), (.requested, .notAllowed):
            state = .refused
            return .firstRefusal
        }
    }

    private func wanted(at now: Instant, lastCause: Instant) -> ConnectionPriority {
        now < lastCause + quietTime ? .fast : .slow
    }
}
