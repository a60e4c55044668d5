/// What the caller of a `Session` learns from an arriving frame, or from a call of `accept`.
package enum SessionEvent: Equatable, Sendable, BitwiseCopyable {
    /// The caller learns nothing, but `next(at:)` may have an action.
    case none
    /// On a phone: a watch's hello has arrived. The caller must look up the watch, then call `accept`, or `close(.refused)`.
    case helloArrived(PeerHello)
    /// The link is open. `Session.positions` now includes what the peer's hello says.
    case opened(PeerHello)
    /// A message to apply. In the frame, its body begins at offset `MessageHeader.encodedSize`. The caller must store the
    /// message's effect and its number in one step, and then call `applied`, even if it rejects the message.
    case message(MessageHeader)
    /// A message that has arrived before. The caller ignores it, and the session acknowledges it again.
    case duplicate
    /// An interactive message. In the frame, its body begins at offset `InteractiveHeader.size`. The caller must always send a
    /// reply.
    case interactive(InteractiveHeader)
    /// The reply to an interactive message of ours. In the frame, its value begins at offset `ReplyHeader.size`.
    case reply(ReplyHeader)
    /// A step of a file transfer. The caller must read it as a `FileHeader` and pass the header to `FileNumbers.receive`. If
    /// `receive` returns a fault, the caller must close the link with this fault.
    case file
    /// The peer has applied or rejected messages of ours. The caller may delete the queued messages among them.
    case acknowledged(Acknowledgement)
    /// The session is closing the link. The next actions send the goodbye, if this reason has one, and close the transport.
    case closed(CloseReason)
}

/// The outcome of applying a message.
public enum ApplyOutcome: Equatable, Sendable, BitwiseCopyable {
    case applied
    case rejected(RejectionReason)
}

/// What the caller of a `Session` has to do next. `Session.next(at:)` returns an action again until the caller reports it done,
/// but returns `.close` only once. If the transport has no room, the caller must wait for room and call `next(at:)` again, so
/// nothing is lost.
package enum SessionAction: Equatable, Sendable, BitwiseCopyable {
    /// Make this frame with `Session.frame(for:rowsCheck:floorOrigin:)` just before sending it. Once the transport has taken
    /// it, call `sent(control:at:)`.
    case transmit(ControlRequest)
    /// Send the queued message of this sequence. Once the transport has taken it, call `sent(.queued, sequence:at:)`.
    case sendQueued(sequence: UInt32)
    /// Send a latest value: the value with the lowest revision above `after`. Once the transport has taken the value, call
    /// `sent(.latest, sequence: its revision, at:)`. If there is no such value, call `skipped(latestUpTo:)`. A cleared name
    /// counts as a value without a payload. The caller must keep it, so that a peer that lost its data can get it again.
    case sendLatest(after: UInt32)
    /// Close the transport and call `disconnected(at:)`.
    case close(CloseReason)
    /// Do nothing until the next event or until this time, whichever comes first. If the time is nil, wait for the next event.
    case wait(until: Instant?)
}

/// A control frame that is due. An action holds this instead of the frame, to save stack on a device: 24 bytes, not 130.
package enum ControlRequest: Equatable, Sendable, BitwiseCopyable {
    case hello
    case goodbye(Goodbye)
    case ping(UInt32)
    case pong(UInt32)
    case acknowledgement
}

/// The phase of a session. PROTOCOL.md has a diagram of the transitions. `LinkProgress` has the data that changes with every
/// frame.
package enum SessionPhase: Sendable, BitwiseCopyable {
    case disconnected
    /// The transport is up, and the peer's hello must arrive before `until`. In this phase a watch sends its hello, and a phone
    /// sends nothing.
    case awaitingHello(until: Instant)
    /// The phone has the watch's hello, and is looking up the watch.
    case awaitingDecision(PeerHello)
    /// The peer's hello, which this case holds, has arrived and is accepted. Messages may be sent once our hello is sent.
    case open(PeerHello)
    /// This side closes the link, but has not sent its goodbye yet. At `until`, it closes the transport even without a goodbye.
    case leaving(CloseReason, until: Instant)
    case closing(CloseReason)
    case closed(CloseReason)

    package var isOpen: Bool {
        if case .open = self { true } else { false }
    }

    var peer: PeerHello? {
        if case .open(let peer) = self { peer } else { nil }
    }

    var isListening: Bool {
        switch self {
        case .awaitingHello, .awaitingDecision, .open: true
        case .disconnected, .leaving, .closing, .closed: false
        }
    }
}

/// Why a link was closed.
public enum CloseReason: Equatable, Sendable, BitwiseCopyable {
    case goingAway
    case refused
    case replaced
    /// The peer has applied messages of ours that we have lost since. We need a new epoch.
    case historyLost
    /// This watch belongs to another phone, and holds messages for that phone.
    case otherPhone
    case otherVersion(peer: UInt8)
    case protocolFault(ProtocolFault)
    /// No frame of the peer arrived within `LinkTiming.supervision`, or the peer took none of our frames within that time.
    case silent
    case noHello
    /// The transport's datagrams are smaller than `LinkLimits.smallestSDU`, so it cannot carry every control frame.
    case transportTooSmall
    case peerLeft(Goodbye)

    /// The goodbye to send before the transport is closed; nil if the peer has left or could not receive it.
    public var goodbye: Goodbye? {
        switch self {
        case .goingAway: Goodbye(.goingAway)
        case .refused: Goodbye(.refused)
        case .replaced: Goodbye(.replaced)
        case .historyLost: Goodbye(.historyLost)
        case .otherPhone: Goodbye(.otherPhone)
        case .otherVersion: Goodbye(.version, version: Hello.version)
        case .protocolFault(let fault): Goodbye(.protocolFault, fault: fault)
        case .silent, .noHello, .transportTooSmall, .peerLeft: nil
        }
    }

    /// Whether reconnecting is pointless until either side is upgraded or configured differently. If true, the side that
    /// connects waits for `ReconnectDelay.unwanted` before it tries again.
    public var isFinal: Bool {
        switch self {
        case .otherVersion, .refused, .otherPhone, .transportTooSmall: true
        case .goingAway, .replaced, .historyLost, .protocolFault, .silent, .noHello: false
        case .peerLeft(let goodbye): goodbye.reason.isFinal
        }
    }

    init(hearing goodbye: Goodbye) {
        if goodbye.reason == .version, let version = goodbye.version {
            self = .otherVersion(peer: version)
        } else {
            self = .peerLeft(goodbye)
        }
    }
}
