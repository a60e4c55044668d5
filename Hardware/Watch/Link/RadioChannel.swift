import WatchLink

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
