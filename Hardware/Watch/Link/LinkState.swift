import WatchLink

struct LinkState: BitwiseCopyable {
    /// The positions from which a session on a new connection starts.
    var positions: StreamPositions
    /// The checksum of the rows; nil while messages wait.
    var rowsCheck: UInt32?
    /// The epoch in which the last acknowledged message was issued; nil if unknown. The watch draws a random epoch at each start.
    var floorOrigin: UInt32?
    /// Whether the watch can store a message now. If not, datagrams wait in the radio.
    var takesDatagrams: Bool
    var owesExchange: Bool
    var owesFileFrame: Bool
}

enum RadioChannel: BitwiseCopyable {
    case none
    case open(OpenChannel)
    /// The channel is open, but the radio had no room for the last datagram.
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
