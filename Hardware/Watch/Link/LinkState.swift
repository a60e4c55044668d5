import WatchLink

/// What the session must know of the watch's data for its next step.
struct LinkState: BitwiseCopyable {
    /// For a session over a new channel.
    var positions: StreamPositions
    /// Nil while something waits.
    var rowsCheck: UInt32?
    /// The epoch in which the last acknowledged message was issued, nil if unknown.
    var floorOrigin: UInt32?
    /// Whether the phone's datagrams are taken. If not, they wait in the radio, because a message could not be stored now.
    var takesDatagrams: Bool
    var owesExchange: Bool
    var owesFileFrame: Bool
}

enum RadioChannel: BitwiseCopyable {
    case none
    case open(OpenChannel)
    /// Open, but without room for the last datagram.
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
    let deadline: Instant?
}
