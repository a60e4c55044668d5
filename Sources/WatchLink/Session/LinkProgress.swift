enum Greeting: BitwiseCopyable {
    /// The hello is not sent yet. It will say the wearer's local time in seconds since 1970 (nil if unknown), and how many of
    /// the peer's messages this side has applied and then lost.
    case owed(localTime: UInt32?, lost: UInt32)
    case sent
}

/// The part of a connection's state that changes with every frame.
///
/// It is not in the payloads of `SessionPhase`, because Swift cannot change the payload of an enum in place. If every change
/// copied 240 bytes out and back, the firmware's deepest chain of calls would need 2,900 bytes of stack. The firmware reserves
/// less (`stack_size` in memory.ld).
///
/// The session resets this value at every new connection and whenever a link opens. So no phase sees the data of another
/// connection.
struct LinkProgress: BitwiseCopyable {
    let maximumSDU: UInt32
    var greeting: Greeting
    var outgoing: OutgoingStreams
    var incoming: IncomingStreams
    var probe: LivenessProbe
    var exchanges = ExchangeNumbers()

    init(maximumSDU: UInt32 = 0, at now: Instant = .start) {
        self.maximumSDU = maximumSDU
        greeting = .owed(localTime: nil, lost: 0)
        outgoing = OutgoingStreams(resuming: StreamPositions())
        incoming = IncomingStreams(resuming: StreamPositions())
        probe = LivenessProbe(heard: now)
    }

    /// Resets this value for a link that opens now. Changes it in place, because a second `LinkProgress` would take 240 bytes
    /// of stack in the deepest chain of calls.
    mutating func open(greeting: Greeting, resuming positions: StreamPositions, at now: Instant) {
        self.greeting = greeting
        outgoing = OutgoingStreams(resuming: positions)
        incoming = IncomingStreams(resuming: positions)
        probe = LivenessProbe(heard: max(probe.heard, now))
        exchanges = ExchangeNumbers()
    }

    func nextAction(_ positions: StreamPositions, window: UInt32, _ timing: LinkTiming, at now: Instant)
        -> SessionAction
    {
        let lostAt = probe.lostAt(timing)
        if now >= lostAt { return .close(.silent) }
        if case .owed = greeting { return .transmit(.hello) }
        if incoming.owesAcknowledgement { return .transmit(.acknowledgement) }
        if let number = probe.unansweredPing { return .transmit(.pong(number)) }
        let pingDue = probe.pingDue(timing)
        if now >= pingDue { return .transmit(.ping(probe.nextPing)) }
        switch outgoing.next(positions, window: window) {
        case .queued(let sequence): return .sendQueued(sequence: sequence)
        case .latest(let revision): return .sendLatest(after: revision)
        case .none: return .wait(until: min(pingDue, lostAt))
        }
    }

    /// Returns what a side that closes the link sends next: the acknowledgement if it owes one, otherwise the goodbye. After an
    /// acknowledgement, the peer does not send the applied messages again on the next link.
    func lastAction(_ goodbye: Goodbye) -> SessionAction {
        switch greeting {
        case .sent where incoming.owesAcknowledgement: .transmit(.acknowledgement)
        case .sent, .owed: .transmit(.goodbye(goodbye))
        }
    }
}
