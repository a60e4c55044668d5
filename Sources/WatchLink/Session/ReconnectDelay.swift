/// How long the connecting side waits before it connects again, by the rule in PROTOCOL.md. It learns how the link ended from
/// the frames in both directions.
package struct ReconnectDelay: Sendable, BitwiseCopyable {
    private enum Outcome: BitwiseCopyable {
        /// No ping was answered, and no side said goodbye with a reason that sets the pause.
        case brief
        /// A ping was answered: the link was open for at least the keep-alive time.
        case lasting
        case goodbye(GoodbyeReason)
    }

    /// The pause after a link that lasted: 50 ms.
    package static var shortest: Microseconds { .milliseconds(50) }
    /// The longest pause after connections that ended soon, and the pause after a protocol fault: 2 s.
    package static var longest: Microseconds { .seconds(2) }
    /// The least pause after a goodbye with reason 4 (a newer connection of the same device): 30 s. A random 0 to 30 s is
    /// added each time, so that watches with the same identity take turns.
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

    /// The time to wait after the transport closed or did not open.
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
    /// The shortest time that the connecting side waits after this goodbye.
    package var pause: Microseconds {
        if isFinal { return ReconnectDelay.unwanted }
        if self == .replaced { return ReconnectDelay.replaced }
        return self == .protocolFault ? ReconnectDelay.longest : .zero
    }
}
