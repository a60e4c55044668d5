/// When the wearer was last done with a list.
enum LastTrip: Sendable, Equatable, BitwiseCopyable {
    /// Not yet, as far as the watch knows.
    case never
    /// At this time.
    case ended(LocalTime)

    /// The trip in the form of a record and of the wire: seconds since 1970, 0 for never.
    init(seconds: UInt32) {
        self = seconds == 0 ? .never : .ended(LocalTime(seconds: seconds))
    }

    /// Seconds since 1970, 0 for never: what a record and the wire hold.
    var seconds: UInt32 {
        switch self {
        case .never: 0
        case .ended(let time): time.seconds
        }
    }
}
