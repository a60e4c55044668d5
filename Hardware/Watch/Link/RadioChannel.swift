import WatchLink

/// The radio's channel that the session runs over.
enum RadioChannel: BitwiseCopyable {
    /// There is none.
    case none
    /// It takes datagrams.
    case open(OpenChannel)
    /// It is open and had no room for the last datagram.
    case congested(OpenChannel)

    /// When the session wants to be asked again.
    var deadline: Instant? {
        switch self {
        case .none: nil
        case .open(let channel), .congested(let channel): channel.deadline
        }
    }
}

/// A channel that is open.
struct OpenChannel: BitwiseCopyable {
    /// The radio's number for it.
    let number: UInt32
    /// When the session wants to be asked again even if nothing happens.
    let deadline: Instant?
}
