/// One side of a link: takes bytes and time, returns events and actions, and does no input or output.
///
/// The same machine serves both roles. It holds numbers and no messages: the shell around it numbers its messages and
/// keeps them until they are acknowledged. The shell calls `connected`, then `receive` for every datagram, and
/// `next(at:)` until that returns `.wait`; it calls `next(at:)` again after every other call and at the time in
/// `.wait`. A call without a meaning in the present phase does nothing; no bytes make it trap.
public struct Session: Sendable {
    /// Who this side is, with the epoch of the present connection.
    public internal(set) var identity: LinkIdentity
    /// What this side is able to receive, as its hello says.
    public let limits: LinkLimits
    /// How long this side waits for its peer.
    public let timing: LinkTiming
    /// The positions of the streams after the last event.
    public internal(set) var positions = StreamPositions()
    package internal(set) var phase = SessionPhase.disconnected
    var progress = LinkProgress()

    /// A session without a transport.
    ///
    /// - Parameters:
    ///   - identity: who this side is.
    ///   - limits: what this side is able to receive, which its hello reports.
    ///   - timing: how long this side waits.
    public init(identity: LinkIdentity, limits: LinkLimits, timing: LinkTiming = LinkTiming()) {
        self.identity = identity
        self.limits = limits
        self.timing = timing
    }

    /// Makes this a new session with another identity. In place, because a second session would take too much of a
    /// device's stack.
    @inline(never)
    package mutating func restart(as identity: LinkIdentity) {
        self.identity = identity
        positions = StreamPositions()
        phase = .disconnected
        progress = LinkProgress()
    }

    /// The peer's hello, nil unless messages flow.
    public var peer: PeerHello? { phase.peer }

    /// Whether the peer can be reached, as of the last call of `next(at:)`.
    public var reachability: Reachability {
        switch phase {
        case .disconnected: .noTransport
        case .awaitingHello, .awaitingDecision: .connecting
        case .open: .reachable(lastHeard: progress.probe.heard)
        case .leaving(let reason, _), .closing(let reason), .closed(let reason): .closed(reason)
        }
    }

    /// The round trip of the last ping, nil while it has no answer.
    public var roundTrip: Microseconds? { progress.probe.ping.roundTrip }

    /// Whether the two sides are in sync: messages flow, the peer has applied everything that we issued, and we have
    /// applied everything that the peer had issued at its hello.
    public var isSynchronized: Bool {
        guard let peer = phase.peer else { return false }
        return positions.queuedAcknowledged >= positions.queuedIssued
            && positions.latestAcknowledged >= positions.latestIssued
            && positions.queuedApplied >= peer.queuedIssued && positions.latestApplied >= peer.latestIssued
    }

    /// The largest message body in bytes, name included, that the peer and the transport accept; nil unless messages
    /// flow.
    ///
    /// In place of a longer queued message the shell sends a frame with the flag `.noValue`.
    public var largestBody: Int? {
        guard let peer = phase.peer else { return nil }
        let frame = min(progress.maximumSDU, peer.limits.largestSDU)
        let header = MessageHeader.largestSize(from: identity.role)
        let body = min(frame &- UInt32(truncatingIfNeeded: header), peer.limits.largestMessage)
        return Int(truncatingIfNeeded: min(body, 0x7FFF_FFFF))
    }

    /// Our hello with the present state.
    func ownHello(rowsCheck: UInt32?, floorOrigin: UInt32?) -> Hello {
        var hello = Hello(role: identity.role, identity: identity.identity, epoch: identity.epoch, limits: limits)
        hello.name = identity.name
        hello.localTime = progress.greeting.localTime
        if let rowsCheck { hello.report = .rows(check: rowsCheck) }
        let lost = progress.greeting.lost
        if lost > 0 { hello.report = .lost(messages: lost) }
        hello.knownEpoch = positions.peerEpoch
        hello.queuedApplied = positions.queuedApplied
        hello.latestApplied = positions.latestApplied
        hello.queuedIssued = positions.queuedIssued
        hello.latestIssued = positions.latestIssued
        hello.queuedFloor = positions.queuedAcknowledged
        hello.floorOrigin = positions.queuedAcknowledged == 0 ? nil : floorOrigin
        return hello
    }
}

/// Whether the peer can be reached.
public enum Reachability: Equatable, Sendable, BitwiseCopyable {
    /// There is no transport.
    case noTransport
    /// The link was closed for this reason; the transport is closed or about to be.
    case closed(CloseReason)
    /// The transport is up and the handshake is not complete.
    case connecting
    /// Messages can be sent. The last frame of the peer arrived at this time, less than the supervision time before the
    /// last call of `next(at:)`.
    case reachable(lastHeard: Instant)
}
