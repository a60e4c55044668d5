/// The time that a face shows.
public enum FaceTime: Equatable, Sendable, BitwiseCopyable {
    /// Nobody has set the clock since it last lost power.
    case unset
    /// The time it is.
    case current(LocalTime)
    /// Time travel: the crown was turned so many minutes away from now, ahead when positive; `time` is the time there.
    case travelled(minutes: Int32, time: LocalTime)

    /// The time shown, if any.
    public var shown: LocalTime? {
        switch self {
        case .unset: nil
        case .current(let time), .travelled(_, let time): time
        }
    }
}
