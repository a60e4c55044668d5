import WatchLink

struct LinkState: BitwiseCopyable {
    /// A session on a new connection starts from this.
    var positions: StreamPositions
    /// Nil while messages wait.
    var rowsCheck: UInt32?
    /// The epoch in which the last acknowledged message was issued; nil if unknown. An epoch is a random number of one start of
    /// the watch.
    var floorOrigin: UInt32?
    /// If the watch could not store a message now, datagrams wait in the radio.
    var takesDatagrams: Bool
    var owesExchange: Bool
    var owesFileFrame: Bool
}

enum RadioChannel: BitwiseCopyable {
    case none
    case open(OpenChannel)
    /// The radio had no room for the last datagram.
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
