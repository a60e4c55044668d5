/// The phases of a session, each with the data that only it has. PROTOCOL.md draws the transitions.
///
/// A phase that follows another is made from that one's data, so nothing of an earlier connection can be left over. An open
/// link takes 240 bytes, which every change copies out and back: the firmware pays about 1 KB of code and 300 bytes of stack.
package enum SessionPhase: Sendable, BitwiseCopyable {
    /// There is no transport.
    case disconnected
    /// The transport is up and the peer's hello has not arrived. The watch sends its own hello; the phone waits.
    case awaitingHello(AwaitingHello)
    /// The phone has the watch's hello, and its shell is looking the watch up.
    case awaitingDecision(AwaitingDecision)
    /// Both hellos are known; messages flow.
    case open(OpenLink)
    /// This side ends the link and has not sent its goodbye yet.
    case leaving(LeavingLink)
    /// The shell has to close the transport and has not been asked yet.
    case closing(CloseReason)
    /// The shell was asked to close the transport.
    case closed(CloseReason)

    /// Whether messages flow.
    package var isOpen: Bool {
        switch self {
        case .open: true
        case .disconnected, .awaitingHello, .awaitingDecision, .leaving, .closing, .closed: false
        }
    }

    /// Whether frames that arrive have a meaning.
    var isListening: Bool {
        switch self {
        case .awaitingHello, .awaitingDecision, .open: true
        case .disconnected, .leaving, .closing, .closed: false
        }
    }
}

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

/// A transport without the peer's hello.
package struct AwaitingHello: BitwiseCopyable {
    /// The most bytes of a datagram that the transport carries.
    let maximumSDU: UInt32
    /// When the peer's hello has to be there.
    let deadline: Instant
    /// Whether the watch's hello has been sent. A phone sends its own only once it is open.
    var greeting = Greeting.owed(localTime: nil)
}

/// A phone that has a watch's hello and has not answered it.
package struct AwaitingDecision: BitwiseCopyable {
    /// The most bytes of a datagram that the transport carries.
    let maximumSDU: UInt32
    /// The watch's hello.
    let hello: PeerHello
    /// When it arrived.
    let heard: Instant

    /// The watch's hello has arrived.
    init(_ before: AwaitingHello, hello: PeerHello, at now: Instant) {
        maximumSDU = before.maximumSDU
        self.hello = hello
        heard = now
    }
}
