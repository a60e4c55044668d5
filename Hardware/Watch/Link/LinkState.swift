import WatchLink

struct LinkState: BitwiseCopyable {
    /// How far the watch and the phone have applied each other's messages. A new session starts from these positions.
    var positions: StreamPositions
    /// A checksum of the watch's rows, which the phone compares with its own rows. Nil while queued messages or unfinished
    /// taps will still change the rows on either side.
    var rowsCheck: UInt32?
    /// The epoch in which the watch issued the last message that the phone has acknowledged; nil if unknown. An epoch is a
    /// random number that the watch chooses at each start.
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
