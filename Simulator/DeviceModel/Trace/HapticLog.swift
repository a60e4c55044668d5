import Watch
import WatchLink

/// A haptic pattern that was played.
public struct HapticPulse: Sendable, Equatable {
    /// What was felt.
    public var pattern: HapticPattern
    /// When it began.
    public var time: Instant

    /// `pattern`, begun at `time`.
    public init(_ pattern: HapticPattern, at time: Instant) {
        self.pattern = pattern
        self.time = time
    }
}

/// The haptic patterns that were played: how many, and the last ones.
public struct HapticLog: Sendable, Equatable {
    /// The most pulses that are kept: the older ones go.
    public static let capacity = 64

    /// How many were played since the watch started.
    public private(set) var count = 0
    /// The last ones, oldest first, at most `capacity`.
    public private(set) var pulses: [HapticPulse] = []

    /// None.
    public init() {}

    /// Enters `pulse`.
    public mutating func enter(_ pulse: HapticPulse) {
        count += 1
        pulses.append(pulse)
        if pulses.count > HapticLog.capacity { pulses.removeFirst() }
    }
}
