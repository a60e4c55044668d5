/// What the shell learns from an arriving frame, or from a call of `accept`.
package enum SessionEvent: Equatable, Sendable, BitwiseCopyable {
    /// The shell learns nothing, but `next(at:)` may have an action.
    case none
    /// A watch said hello to a phone. The shell looks it up and calls `accept`, or `close(.refused)`.
    case helloArrived(PeerHello)
    /// Messages flow from now on. `positions` now includes what the peer's hello says.
    case opened(PeerHello)
    /// A message to apply. Its body begins at `MessageHeader.encodedSize` of the frame. The shell stores the effect and the
    /// number in one step. Then it calls `applied`, even if it rejects the message.
    case message(MessageHeader)
    /// A message that has arrived before. The shell ignores it, and the session acknowledges it again.
    case duplicate
    /// An interactive message. In the frame, its body begins at offset `InteractiveHeader.size`. The shell, which is the code
    /// around `Session`, always sends a reply.
    case interactive(InteractiveHeader)
    /// The reply to an interactive message of ours. Its value begins at `ReplyHeader.size` of the frame.
    case reply(ReplyHeader)
    /// A step of a file transfer. The shell reads it as a `FileHeader` and passes the header to its `FileNumbers`. If they
    /// return a fault, the shell closes the link with this fault.
    case file
    /// The peer has applied messages of ours. The shell may delete those of them that were queued.
    case acknowledged(Acknowledgement)
    /// The link is over. The next actions send a goodbye and close the transport.
    case closed(CloseReason)
}

/// The outcome of applying a message.
public enum ApplyOutcome: Equatable, Sendable, BitwiseCopyable {
    case applied
    case rejected(RejectionReason)
}

/// What the shell has to do next. An action comes again until the shell reports it done, except `.close`. If the transport has
/// no room, the shell waits for room and asks again, so nothing is lost.
package enum SessionAction: Equatable, Sendable, BitwiseCopyable {
    /// Make this frame with `Session.frame(for:)` just before sending it; once the transport has it, call
    /// `sent(control:at:)`.
    case transmit(ControlRequest)
    /// Send the queued message of this sequence; once the transport has it, call `sent(.queued, sequence:at:)`.
    case sendQueued(sequence: UInt32)
    /// Of the latest values with a revision above `after`, send the one with the lowest revision. Once the transport has it,
    /// call `sent(.latest, sequence: its revision, at:)`. If there is no such value, call `skipped(latestUpTo:)`. A cleared
    /// name is also a value, without a payload. The shell keeps it, for a peer that lost its data.
    case sendLatest(after: UInt32)
    /// Close the transport and call `disconnected(at:)`.
    case close(CloseReason)
    /// Do nothing until the next event, or until this time.
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

/// The phase of a session. PROTOCOL.md draws the transitions. `LinkProgress` has the data that changes with every frame.
package enum SessionPhase: Sendable, BitwiseCopyable {
    case disconnected
    /// The transport is up. The peer's hello must arrive by this time. The watch sends its own hello, and the phone waits.
    case awaitingHello(until: Instant)
    /// The phone has the watch's hello, and is looking up the watch.
    case awaitingDecision(PeerHello)
    /// The handshake is complete and messages flow. The hello is the peer's.
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
    /// The peer has applied messages that we have lost. We need a new epoch.
    case historyLost
    /// This watch belongs to another phone, and holds messages for that phone.
    case otherPhone
    case otherVersion(peer: UInt8)
    case protocolFault(ProtocolFault)
    /// Nothing arrived for the supervision time.
    case silent
    case noHello
    /// The transport carries less than the longest control frame.
    case transportTooSmall
    case peerLeft(Goodbye)

    /// The goodbye to send before the transport is closed, nil if it would not arrive.
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

    /// Whether reconnecting is pointless until either side is upgraded or configured differently. The side that
    /// connects then waits for `ReconnectDelay.unwanted`.
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
