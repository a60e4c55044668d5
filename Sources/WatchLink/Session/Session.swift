/// One side of a link: takes bytes and time, returns events and actions, and does no input or output itself.
///
/// The same machine serves both roles. It holds numbers and no messages: the shell around it numbers its messages and
/// keeps them until they are acknowledged. The shell calls `connected`, then `receive` for every datagram and
/// `next(at:)` until that returns `.wait`; it calls `next(at:)` again after every other call and when the time in
/// `.wait` has come. A call in a phase in which it has no meaning does nothing; no bytes make it trap.
public struct Session: Sendable {
    /// Who this side is. The epoch is that of the present connection.
    public internal(set) var identity: LinkIdentity
    /// What this side is able to receive.
    public let limits: LinkLimits
    /// How long this side waits.
    public let timing: LinkTiming
    /// Where the streams stand, brought up to date by every event.
    public internal(set) var positions = StreamPositions()
    /// Where the session is in its life.
    package internal(set) var phase = SessionPhase.disconnected
    /// How far the present connection has come.
    var progress = LinkProgress()

    /// A session without a transport.
    ///
    /// - Parameters:
    ///   - identity: who this side is.
    ///   - limits: what this side is able to receive; the hello tells the peer.
    ///   - timing: how long this side waits.
    public init(identity: LinkIdentity, limits: LinkLimits, timing: LinkTiming = LinkTiming()) {
        self.identity = identity
        self.limits = limits
        self.timing = timing
    }

    /// Makes this a new session of another identity, in place: a second session beside it would take too much of a
    /// device's stack.
    @inline(never)
    package mutating func restart(as identity: LinkIdentity) {
        self.identity = identity
        positions = StreamPositions()
        phase = .disconnected
        progress = LinkProgress()
    }

    /// The peer's hello, while messages flow.
    public var peer: PeerHello? { phase.peer }

    /// Whether the peer can be reached, with the evidence.
    public var reachability: Reachability {
        switch phase {
        case .disconnected: .noTransport
        case .awaitingHello, .awaitingDecision: .connecting
        case .open: .reachable(lastHeard: progress.probe.heard)
        case .leaving(let reason, _), .closing(let reason), .closed(let reason): .closed(reason)
        }
    }

    /// The time from the last answered ping of this connection to its answer.
    public var roundTrip: Microseconds? { progress.probe.ping.roundTrip }

    /// Whether the two sides are in sync: messages flow, the peer has applied everything that we issued, and we have applied
    /// everything that the peer had issued when it said hello.
    public var isSynchronized: Bool {
        guard let peer = phase.peer else { return false }
        return positions.queuedAcknowledged >= positions.queuedIssued
            && positions.latestAcknowledged >= positions.latestIssued
            && positions.queuedApplied >= peer.queuedIssued && positions.latestApplied >= peer.latestIssued
    }

    /// The most bytes of a message body, name included, that the peer and the transport take; 0 while messages do not flow.
    ///
    /// A queued message that is longer can never be sent: the shell sends a frame with the flag `.noValue` in its place.
    public var largestBody: Int {
        guard let peer = phase.peer else { return 0 }
        let frame = min(progress.maximumSDU, peer.limits.largestSDU)
        let body = min(frame &- UInt32(truncatingIfNeeded: MessageHeader.size), peer.limits.largestMessage)
        return Int(truncatingIfNeeded: min(body, 0x7FFF_FFFF))
    }

    /// Our hello, as of now.
    var ownHello: Hello {
        var hello = Hello(role: identity.role, identity: identity.identity, epoch: identity.epoch, limits: limits)
        hello.name = identity.name
        hello.localTime = progress.greeting.localTime
        hello.knownEpoch = positions.peerEpoch
        hello.queuedApplied = positions.queuedApplied
        hello.latestApplied = positions.latestApplied
        hello.queuedIssued = positions.queuedIssued
        hello.latestIssued = positions.latestIssued
        hello.queuedFloor = positions.queuedAcknowledged
        return hello
    }
}
