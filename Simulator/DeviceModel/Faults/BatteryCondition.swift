import WatchLink

/// How a watch's battery is.
public enum BatteryCondition: Sendable, Equatable {
    /// It gives what is asked of it.
    case charged
    /// Its voltage sags under load, so the watch saves: the processor runs at half its clock. That is an assumption, the first
    /// step down that such processors' clock trees offer.
    case low

    /// What something takes that takes the processor `length` on a full battery.
    func stretch(_ length: Microseconds) -> Microseconds {
        switch self {
        case .charged: length
        case .low: length + length
        }
    }
}
