/// Whether this side's hello has been sent on this connection.
enum Greeting: BitwiseCopyable {
    /// It is due, and carries this local time for the wearer: seconds since 1970, nil for unknown.
    case owed(localTime: UInt32?)
    /// The transport has taken it.
    case sent

    /// The local time that a hello still to be sent carries, nil for unknown.
    var localTime: UInt32? {
        switch self {
        case .owed(let localTime): localTime
        case .sent: nil
        }
    }
}

/// The data of a connection that changes with every frame.
///
/// It stands beside the phase and not in its cases, because the payload of an enum cannot be changed in place: as a payload of
/// 240 bytes, copied out and back by every change, the deepest chain of calls in the firmware takes 2,900 bytes of stack, and
/// there are 2,016. What keeps it right is that every connection, and every opening, makes it anew.
struct LinkProgress: BitwiseCopyable {
    /// The most bytes of a datagram that the transport carries.
    let maximumSDU: UInt32
    /// Whether the peer has our hello. A side that is open sends nothing else before it.
    var greeting: Greeting
    /// How far our streams are sent.
    var outgoing: OutgoingStreams
    /// How far the peer's streams have arrived.
    var incoming: IncomingStreams
    /// Whether the peer is still there.
    var probe: LivenessProbe

    /// A transport came up, or there is none yet.
    init(maximumSDU: UInt32 = 0, at now: Instant = .start) {
        self.maximumSDU = maximumSDU
        greeting = .owed(localTime: nil)
        outgoing = OutgoingStreams(resuming: StreamPositions())
        incoming = IncomingStreams(resuming: StreamPositions())
        probe = LivenessProbe(heard: now)
    }

    /// Both hellos are known: messages flow from now on. In place, because a second value beside this one takes 240 bytes of the
    /// stack where the chain of calls is deepest.
    mutating func open(greeting: Greeting, resuming positions: StreamPositions, at now: Instant) {
        self.greeting = greeting
        outgoing = OutgoingStreams(resuming: positions)
        incoming = IncomingStreams(resuming: positions)
        probe = LivenessProbe(heard: max(probe.heard, now))
    }

    /// The next thing to do on an open link.
    func task(_ positions: StreamPositions, window: UInt32, _ timing: LinkTiming, at now: Instant) -> SessionTask {
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

    /// What a side that leaves sends next: the acknowledgement that it owes, so that the peer need not send again what is
    /// applied, and then its goodbye.
    func lastTask(_ goodbye: Goodbye) -> SessionTask {
        switch (greeting, incoming.debt) {
        case (.sent, .owed): .transmit(.acknowledgement)
        case (.sent, .settled), (.owed, _): .transmit(.goodbye(goodbye))
        }
    }
}
