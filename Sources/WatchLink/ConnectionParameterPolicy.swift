/// Decides when a watch requests a faster or slower link. The phone makes no such request.
///
/// A link stays fast for `quietTime` after it opens, after each input of the wearer, and after each frame except pings and
/// pongs. Then it becomes slow. The watch requests each change once, and waits at least `settlingTime` between two requests.
///
/// ```
/// event     link opens   tap   quietTime passes   ping   other frame
/// request   fast         -     slow               -      fast
/// ```
package struct ConnectionParameterPolicy: Sendable {
    /// How long a link stays fast, by default, after its opening, an input or a frame: 5 s.
    ///
    /// While a person waits, PebbleOS keeps a link fast for a similar time (bluetooth/responsiveness.h: 5 s to fetch an app,
    /// 10 s for a menu action). The Bluetooth Core Specification 5.4 recommends 5 s before a peripheral requests
    /// power-saving parameters on a new connection (volume 3, part C, appendix A: T_GAP(conn_pause_peripheral)).
    package static var quietTime: Microseconds { .seconds(5) }

    /// The default minimum time between two requests: 1.08 s, the settling time of a slow link (45 ms, latency 3).
    package static var settlingTime: Microseconds { settlingTime(interval: .milliseconds(45), latency: 3) }

    /// Returns the time from a request until the new parameters take effect: six connection events at which the watch listens
    /// (Bluetooth Core Specification 5.4, volume 6, part B, section 5.1.1). Until then, a controller refuses a further change.
    /// - Parameters:
    ///   - interval: the present connection interval.
    ///   - latency: the number of events in a row that the watch may skip at present.
    package static func settlingTime(interval: Microseconds, latency: Int) -> Microseconds {
        // A loop, because on a 32-bit processor Embedded Swift needs the heap to multiply two 64-bit variables.
        var time = Microseconds.zero
        for _ in 0..<6 * (latency + 1) { time = time + interval }
        return time
    }

    private enum State {
        case closed
        /// The last cause is the time of the last event that makes the link fast: its opening, an input or a frame.
        case opened(lastCause: Instant)
        case requested(ConnectionPriority, at: Instant, lastCause: Instant)
        /// The operating system refused a request. The watch makes no more requests in this process.
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

    /// Call when a link opens. The new link replaces any previous one, and begins fast because a handshake follows.
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

    package mutating func wearerActed(at now: Instant) {
        switch state {
        case .closed, .refused: break
        case .opened(let lastCause): state = .opened(lastCause: max(lastCause, now))
        case .requested(let priority, let time, let lastCause):
            state = .requested(priority, at: time, lastCause: max(lastCause, now))
        }
    }

    /// Call for each frame in either direction. Pings and pongs do not make the link fast, because an idle link carries them
    /// every two seconds.
    package mutating func carried(_ frame: FrameKind, at now: Instant) {
        if frame != .ping, frame != .pong { wearerActed(at: now) }
    }

    // MARK: Decisions

    /// Returns the priority to request now; nil for no request. After the request, the caller calls `requested` or `refused`.
    package func wish(at now: Instant) -> ConnectionPriority? {
        switch state {
        case .closed, .refused: return nil
        case .opened(let lastCause): return wanted(at: now, lastCause: lastCause)
        case .requested(let priority, let time, let lastCause):
            let wanted = wanted(at: now, lastCause: lastCause)
            return priority != wanted && now >= time + settlingTime ? wanted : nil
        }
    }

    /// Returns the first time, `now` or later, at which `wish` returns a priority. Nil if `wish` returns nil until the caller
    /// reports another event.
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

    package mutating func requested(_ priority: ConnectionPriority, at now: Instant) {
        switch state {
        case .closed, .refused: break
        case .opened(let lastCause), .requested(_, _, let lastCause):
            state = .requested(priority, at: now, lastCause: lastCause)
        }
    }

    /// Call when the operating system refuses a request. Returns true the first time; the caller then tells the user.
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
    /// A connection event every 15 ms, for a link in use. Apple's Accessory Design Guidelines allow no shorter interval, except
    /// for HID.
    case fast
    /// A connection event every 30 to 45 ms, for an idle link. The watch may skip three events in a row.
    case slow
}

package enum PriorityRequestOutcome: Equatable, Sendable, BitwiseCopyable {
    /// The Bluetooth controller has accepted the request. It does not report whether the phone agrees.
    case requested
    /// The operating system refuses requests of this process. The link keeps its parameters.
    case notAllowed
}
