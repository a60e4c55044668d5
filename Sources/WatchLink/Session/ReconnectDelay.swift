/// Computes how long the connecting side waits before it connects again. PROTOCOL.md has the rule ("Connecting again"). The
/// caller passes the frames of both directions to `carried`. They show how the link ended.
package struct ReconnectDelay: Sendable, BitwiseCopyable {
    private enum Outcome: BitwiseCopyable {
        /// No ping was answered, and no side said goodbye with a reason that sets the pause.
        case brief
        /// A ping was answered, so the link was open for at least the keep-alive time.
        case lasting
        case goodbye(GoodbyeReason)
    }

    /// The pause after a link on which a ping was answered: 50 ms. It is also the pause after the first of several
    /// connections without an answered ping.
    package static var shortest: Microseconds { .milliseconds(50) }
    /// The maximum pause after connections without an answered ping: 2 s. Each such connection doubles the pause up to this
    /// maximum. This is also the pause after a goodbye with reason 2 (protocol fault).
    package static var longest: Microseconds { .seconds(2) }
    /// The minimum pause after a goodbye with reason 4 (a newer connection of the same device): 30 s. Each time, `next` adds a
    /// random 0 to 30 s, so that watches with the same identity take turns.
    package static var replaced: Microseconds { .seconds(30) }
    /// The pause after a goodbye with reason 1 (another version), 3 (not wanted) or 6 (another phone's watch): 60 s.
    package static var unwanted: Microseconds { .seconds(60) }

    private let first: Microseconds
    private let last: Microseconds
    private var outcome = Outcome.brief
    private var pause: Microseconds
    private var random: SplitMix64

    /// - Parameter seed: a random number, different on every device that connects.
    package init(seed: UInt64) {
        self.init(shortest: ReconnectDelay.shortest, longest: ReconnectDelay.longest, seed: seed)
    }

    package init(shortest: Microseconds, longest: Microseconds, seed: UInt64) {
        first = shortest
        last = longest
        pause = shortest
        random = SplitMix64(seed: seed)
    }

    package mutating func carried(_ datagram: Span<UInt8>) {
        guard !datagram.isEmpty else { return }
        let kind = FrameKind(rawValue: datagram[0])
        switch outcome {
        case .brief, .lasting:
            if kind == .pong { outcome = .lasting }
            guard kind == .goodbye, case .goodbye(let goodbye) = try? ControlFrame(datagram),
                goodbye.reason.pause > .zero
            else { return }
            outcome = .goodbye(goodbye.reason)
        case .goodbye: break
        }
    }

    /// Returns how long to wait before the next attempt to connect. Call once each time the transport closes or fails to open.
    package mutating func next() -> Microseconds {
        defer { outcome = .brief }
        switch outcome {
        case .brief: return grown()
        case .lasting:
            pause = first
            return grown()
        case .goodbye(let reason):
            pause = last
            return drawn(after: reason)
        }
    }

    private mutating func drawn(after reason: GoodbyeReason) -> Microseconds {
        guard reason == .replaced else { return reason.pause }
        return reason.pause + Microseconds(random.next() % (ReconnectDelay.replaced.count + 1))
    }

    private mutating func grown() -> Microseconds {
        defer { pause = min(pause + pause, last) }
        return pause
    }
}

extension GoodbyeReason {
    /// The minimum time that the connecting side waits after this goodbye; zero if this reason sets no pause.
    package var pause: Microseconds {
        if isFinal { return ReconnectDelay.unwanted }
        if self == .replaced { return ReconnectDelay.replaced }
        return self == .protocolFault ? ReconnectDelay.longest : .zero
    }
}
