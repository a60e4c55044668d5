/// A link on which messages flow.
package struct OpenLink: BitwiseCopyable {
    /// The peer's hello.
    let peer: PeerHello
    /// The most bytes of a datagram that the transport carries.
    let maximumSDU: UInt32
    /// Whether the peer has our hello: nothing else is sent before it.
    var greeting: Greeting
    /// How far our streams are sent.
    var outgoing: OutgoingStreams
    /// How far the peer's streams have arrived.
    var incoming: IncomingStreams
    /// Whether the peer is still there.
    var probe: LivenessProbe

    /// A watch's link: the phone's hello has arrived.
    init(_ before: AwaitingHello, hello: PeerHello, resuming positions: StreamPositions, at now: Instant) {
        peer = hello
        maximumSDU = before.maximumSDU
        greeting = before.greeting
        outgoing = OutgoingStreams(resuming: positions)
        incoming = IncomingStreams(resuming: positions)
        probe = LivenessProbe(heard: now)
    }

    /// A phone's link: its shell has accepted the watch. The watch counts as heard at that time, because it waited for us.
    init(_ before: AwaitingDecision, localTime: UInt32?, resuming positions: StreamPositions, at now: Instant) {
        peer = before.hello
        maximumSDU = before.maximumSDU
        greeting = .owed(localTime: localTime)
        outgoing = OutgoingStreams(resuming: positions)
        incoming = IncomingStreams(resuming: positions)
        probe = LivenessProbe(heard: max(before.heard, now))
    }

    /// The queued messages that we may have sent without an acknowledgement.
    private var window: UInt32 { UInt32(min(peer.limits.window, LinkLimits.largestWindow)) }

    /// The most bytes of a message body that the peer and the transport take.
    var largestBody: Int {
        let frame = min(maximumSDU, peer.limits.largestSDU)
        let body = min(frame &- UInt32(truncatingIfNeeded: MessageHeader.size), peer.limits.largestMessage)
        return Int(truncatingIfNeeded: min(body, 0x7FFF_FFFF))
    }

    /// What is to be done next.
    func task(_ positions: StreamPositions, _ timing: LinkTiming, at now: Instant) -> SessionTask {
        let lostAt = probe.lostAt(timing)
        if now >= lostAt { return .close(.silent) }
        switch (greeting, incoming.debt, probe.pong) {
        case (.owed, _, _): return .transmit(.hello)
        case (.sent, .owed, _): return .transmit(.acknowledgement)
        case (.sent, .settled, .owed(let number)): return .transmit(.pong(number))
        case (.sent, .settled, .none): break
        }
        let pingDue = probe.pingDue(timing)
        if now >= pingDue { return .transmit(.ping(probe.ping.nextNumber)) }
        switch outgoing.next(positions, window: window) {
        case .queued(let sequence): return .sendQueued(sequence: sequence)
        case .latest(let revision): return .sendLatest(after: revision)
        case .none: return .wait(until: min(pingDue, lostAt))
        }
    }

    /// Notes that the transport has taken a control frame.
    mutating func sent(_ frame: ControlFrame, _ positions: StreamPositions, at now: Instant) {
        switch frame {
        case .hello: greeting = .sent
        case .goodbye: break
        case .ping(let number): probe.ping = .sent(number: number, at: now)
        case .pong(let number): probe.answeredPing(number)
        case .acknowledgement(let acknowledgement): incoming.sent(acknowledgement, positions)
        }
    }
}
