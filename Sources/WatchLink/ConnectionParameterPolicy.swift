/// Decides when a watch requests a faster or slower link. The phone requests none.
///
/// A link stays fast for `quietTime` after it opens, after the wearer's last input, and after every frame that is not a
/// keep-alive. Then it becomes slow. The watch does not repeat a request, and waits `settlingTime` before the next one.
///
/// ```
/// cause     open   tap                       ping   frame
/// request   fast          ..quietTime..slow         fast
/// ```
package struct ConnectionParameterPolicy: Sendable {
    /// How long the standard link stays fast after the last cause: 5 s.
    ///
    /// PebbleOS keeps a link fast about as long while a person waits (bluetooth/responsiveness.h: 5 s to fetch an app, 10 s for a
    /// menu action). A person who works through a list pauses for less. A peripheral should wait as long before it requests
    /// power-saving parameters on a new connection (Bluetooth Core Specification 5.4, volume 3, part C, appendix A:
    /// T_GAP(conn_pause_peripheral)).
    package static var quietTime: Microseconds { .seconds(5) }

    /// How long the standard link waits for a change to take effect before it requests the next: 1.08 s.
    package static var settlingTime: Microseconds { settlingTime(interval: .milliseconds(45), latency: 3) }

    /// The time until a change of the parameters takes effect: six connection events at which the watch listens (Bluetooth Core
    /// Specification 5.4, volume 6, part B, section 5.1.1). Before that a controller refuses another change.
    ///
    /// - Parameters:
    ///   - interval: the time between two events.
    ///   - latency: the events in a row that the watch may skip.
    package static func settlingTime(interval: Microseconds, latency: Int) -> Microseconds {
        // A loop, because on a 32-bit processor Embedded Swift needs the heap to multiply two 64-bit variables.
        var time = Microseconds.zero
        for _ in 0..<6 * (latency + 1) { time = time + interval }
        return time
    }

    private enum State {
        case closed
        /// The link has the parameters that the system chose; the newest cause to be fast was at `lastCause`.
        case opened(lastCause: Instant)
        /// The watch requested this priority at this time; the newest cause to be fast was at `lastCause`.
        case requested(ConnectionPriority, at: Instant, lastCause: Instant)
        /// The system refused a request. The watch makes no more in this process.
        case refused
    }

    private let quietTime: Microseconds
    private let settlingTime: Microseconds
    private var state = State.closed

    package init() {
        self.init(
            quietTime: ConnectionParameterPolicy.quietTime, settlingTime: ConnectionParameterPolicy.settlingTime)
    }

    package init(quietTime: Microseconds, settlingTime: Microseconds) {
        self.quietTime = quietTime
        self.settlingTime = settlingTime
    }

    // MARK: Events

    /// Call when a link opens, which replaces the previous one. The handshake that follows is a cause to be fast.
    package mutating func opened(at now: Instant) {
        switch state {
        case .closed, .opened, .requested: state = .opened(lastCause: now)
        case .refused: break
        }
    }

    package mutating func closed() {
        switch state {
        case .closed, .opened, .requested: state = .closed
        case .refused: break
        }
    }

    /// Call after an input of the wearer, who waits for its result.
    package mutating func wearerActed(at now: Instant) {
        switch state {
        case .closed, .refused: break
        case .opened(let lastCause): state = .opened(lastCause: max(lastCause, now))
        case .requested(let priority, let time, let lastCause):
            state = .requested(priority, at: time, lastCause: max(lastCause, now))
        }
    }

    /// Call after a frame was sent or received. A keep-alive is no cause to be fast: an idle link carries one every two
    /// seconds.
    package mutating func carried(_ frame: FrameKind, at now: Instant) {
        if frame != .ping, frame != .pong { wearerActed(at: now) }
    }

    // MARK: Decisions

    /// The priority to request now, nil if none. Report the outcome to `requested` or `refused`.
    package func wish(at now: Instant) -> ConnectionPriority? {
        switch state {
        case .closed, .refused: return nil
        case .opened(let lastCause): return wanted(at: now, lastCause: lastCause)
        case .requested(let priority, let time, let lastCause):
            let wanted = wanted(at: now, lastCause: lastCause)
            return priority != wanted && now >= time + settlingTime ? wanted : nil
        }
    }

    /// The first time, `now` or later, at which `wish` returns a priority if nothing else happens; nil if never.
    ///
    /// A cause to be fast that ends before its request leads to no request. A caller that is delayed for longer than the quiet
    /// time therefore has nothing to wake for.
    package func wakeAt(from now: Instant) -> Instant? {
        switch state {
        case .closed, .refused: return nil
        case .opened(let lastCause): return max(now, lastCause)
        case .requested(.fast, let time, let lastCause):
            return max(now, max(lastCause + quietTime, time + settlingTime))
        case .requested(.slow, let time, let lastCause):
            let request = max(now, max(lastCause, time + settlingTime))
            return request < lastCause + quietTime ? request : nil
        }
    }

    /// Records that the controller has a request. Whether the other side agrees is not reported.
    package mutating func requested(_ priority: ConnectionPriority, at now: Instant) {
        switch state {
        case .closed, .refused: break
        case .opened(let lastCause), .requested(_, _, let lastCause):
            state = .requested(priority, at: now, lastCause: lastCause)
        }
    }

    /// Records that the system allows no request.
    ///
    /// - Returns: whether to tell the user, which is true the first time only.
    package mutating func refused() -> Bool {
        defer { state = .refused }
        switch state {
        case .closed, .opened, .requested: return true
        case .refused: return false
        }
    }

    private func wanted(at now: Instant, lastCause: Instant) -> ConnectionPriority {
        now < lastCause + quietTime ? .fast : .slow
    }
}

/// The speed of a link. A faster link uses more of the watch's battery.
package enum ConnectionPriority: Equatable, Sendable, BitwiseCopyable {
    /// A connection event every 15 ms, the shortest interval that phones grant: while a person waits.
    case fast
    /// A connection event every 30 to 45 ms, the watch may skip three in a row: while nothing happens.
    case slow
}

package enum PriorityRequestOutcome: Equatable, Sendable, BitwiseCopyable {
    /// The controller has the request. Whether the other side agrees is not reported.
    case requested
    /// The system allows this process no request. The link keeps its parameters.
    case notAllowed
}
