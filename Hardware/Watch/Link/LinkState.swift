import WatchLink

/// What the session has to know of the watch's data for its next step.
struct LinkState: BitwiseCopyable {
    /// The positions of the streams, for a session over a new channel.
    var positions: StreamPositions
    /// The check of the rows, nil while something waits.
    var rowsCheck: UInt32?
    /// The epoch in which the last acknowledged message was issued, nil where it is not known.
    var floorOrigin: UInt32?
    var intake: MessageIntake
    var exchange: FrameDebt
    var file: FrameDebt
}

/// Whether a frame waits for the radio: a question or a reply of the handler's, or what the watch says of a file.
enum FrameDebt: BitwiseCopyable {
    case settled
    case owed
}

/// What happens to datagrams of the phone.
enum MessageIntake: BitwiseCopyable {
    /// They are taken.
    case open
    /// They wait in the radio, because a message could not be stored now.
    case closed
}

/// A phone that has said hello: the part of its hello that the watch uses.
struct OpenedPhone: BitwiseCopyable {
    let identity: UInt64
    /// The phone's local time, nil for unknown.
    let localTime: LocalTime?
    /// The sequence of the phone's newest queued message.
    let queuedIssued: UInt32
    /// The phone's newest revision of a latest value.
    let latestIssued: UInt32
    /// Messages of this watch that the phone had applied and has lost.
    let lostMessages: UInt32

    init(_ hello: PeerHello) {
        identity = hello.identity
        localTime = hello.localTime.map { LocalTime(seconds: $0) }
        queuedIssued = hello.queuedIssued
        latestIssued = hello.latestIssued
        lostMessages =
            switch hello.report {
            case .lost(let messages): messages
            case .nothing, .rows: 0
            }
    }
}

enum RadioChannel: BitwiseCopyable {
    case none
    case open(OpenChannel)
    /// It is open and had no room for the last datagram.
    case congested(OpenChannel)

    var deadline: Instant? {
        switch self {
        case .none: nil
        case .open(let channel), .congested(let channel): channel.deadline
        }
    }
}

struct OpenChannel: BitwiseCopyable {
    let number: UInt32
    /// The next time at which the session has something to do, nil for none.
    let deadline: Instant?
}
