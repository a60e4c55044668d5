import Watch
import WatchLink

/// What the board is told when it is switched on.
public struct BootSettings: Equatable, Sendable {
    /// Who moves the board's clock on.
    public enum Pacing: Equatable, Sendable {
        /// Time.
        case free
        /// The host: the clock stands while the runtime is idle.
        case paced
    }

    /// Who moves the board's clock on.
    public var pacing: Pacing
    /// The wall clock, where it is known.
    public var calendar: LocalTime?
    /// SplitMix64 for the identity of a watch whose flash holds none.
    public var seed: UInt64

    /// Settings of these values.
    public init(pacing: Pacing, calendar: LocalTime?, seed: UInt64) {
        self.pacing = pacing
        self.calendar = calendar
        self.seed = seed
    }

    /// The values that a loader writes before the reset: address, value, bytes.
    var words: [(address: UInt32, value: UInt64, size: Int)] {
        let pace: UInt64 =
            switch pacing {
            case .free: 0
            case .paced: 0x5041_4345
            }
        return [
            (0x2101_0000, pace, 4), (0x2101_0004, UInt64(calendar?.seconds ?? 0), 4), (0x2101_0008, seed, 8),
        ]
    }
}
