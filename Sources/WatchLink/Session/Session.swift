/// One side of a link: takes bytes and time, returns events and actions, and does no input or output itself.
///
/// The same machine serves both roles. It holds numbers and no messages: the shell around it numbers its messages and keeps
/// them until they are acknowledged. The shell calls `connected`, then `receive` for every datagram and `next(at:)` until that
/// returns `.wait`; it calls `next(at:)` again after every other call and when the time in `.wait` has come.
/// A call in a phase in which it has no meaning does nothing; no bytes make it trap.
public struct Session: Sendable {
    /// Who this side is. The epoch is that of the present connection.
    public internal(set) var identity: LinkIdentity
    /// What this side is able to receive.
    public let limits: LinkLimits
    /// How long this side waits.
    public let timing: LinkTiming
    /// Where the streams stand, brought up to date by every event.
    public internal(set) var positions = StreamPositions()
    /// The phase, with the data of the connection.
    package internal(set) var phase = SessionPhase.disconnected

    /// A session without a transport.
    ///
    /// - Parameters:
    ///   - identity: who this side is.
    ///   - limits: what this side is able to receive; the peer is told.
    ///   - timing: how long this side waits.
    public init(identity: LinkIdentity, limits: LinkLimits, timing: LinkTiming = LinkTiming()) {
        self.identity = identity
        self.limits = limits
        self.timing = timing
    }

    /// Makes this a new session of another identity, in place: a second session beside it would take too much of a device's
    /// stack.
    @inline(never)
    package mutating func restart(as identity: LinkIdentity) {
        self.identity = identity
        positions = StreamPositions()
        phase = .disconnected
    }

    /// The peer's hello, while messages flow.
    public var peer: PeerHello? {
        switch phase {
        case .open(let link): link.peer
        case .disconnected, .awaitingHello, .awaitingDecision, .leaving, .closing, .closed: nil
        }
    }

    /// Whether the peer can be reached, with the evidence.
    public var reachability: Reachability {
        switch phase {
        case .disconnected: .noTransport
        case .awaitingHello, .awaitingDecision: .connecting
        case .open(let link): .reachable(lastHeard: link.probe.heard)
        case .leaving(let link): .closed(link.reason)
        case .closing(let reason), .closed(let reason): .closed(reason)
        }
    }

    /// The time from the last answered ping of this connection to its answer.
    public var roundTrip: Microseconds? {
        switch phase {
        case .open(let link): link.probe.ping.roundTrip
        case .disconnected, .awaitingHello, .awaitingDecision, .leaving, .closing, .closed: nil
        }
    }

    /// Whether the two sides are in sync: messages flow, the peer has applied everything that we issued, and we have applied
    /// everything that the peer had issued when it said hello.
    public var isSynchronized: Bool {
        switch phase {
        case .open(let link):
            positions.queuedAcknowledged >= positions.queuedIssued
                && positions.latestAcknowledged >= positions.latestIssued
                && positions.queuedApplied >= link.peer.queuedIssued
                && positions.latestApplied >= link.peer.latestIssued
        case .disconnected, .awaitingHello, .awaitingDecision, .leaving, .closing, .closed: false
        }
    }

    /// The most bytes of a message body, name included, that the peer and the transport take; 0 while messages do not flow.
    ///
    /// A queued message that is longer can never be sent: the shell sends a frame with the flag `.noValue` in its place.
    public var largestBody: Int {
        switch phase {
        case .open(let link): link.largestBody
        case .disconnected, .awaitingHello, .awaitingDecision, .leaving, .closing, .closed: 0
        }
    }

    /// Our hello, as of now.
    var ownHello: Hello {
        var hello = Hello(role: identity.role, identity: identity.identity, epoch: identity.epoch, limits: limits)
        hello.name = identity.name
        switch phase {
        case .open(let link): hello.localTime = link.greeting.localTime
        case .disconnected, .awaitingHello, .awaitingDecision, .leaving, .closing, .closed: break
        }
        hello.knownEpoch = positions.peerEpoch
        hello.queuedApplied = positions.queuedApplied
        hello.latestApplied = positions.latestApplied
        hello.queuedIssued = positions.queuedIssued
        hello.latestIssued = positions.latestIssued
        hello.queuedFloor = positions.queuedAcknowledged
        return hello
    }
}
