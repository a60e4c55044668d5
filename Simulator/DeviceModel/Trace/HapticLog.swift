import Watch
import WatchLink

/// A haptic pattern that was played.
public struct HapticPulse: Sendable, Equatable {
    /// What was felt.
    public var pattern: HapticPattern
    /// When it began.
    public var time: Instant

    package init(_ pattern: HapticPattern, at time: Instant) {
        self.pattern = pattern
        self.time = time
    }
}

/// The haptic patterns that were played since the watch started: their number, and the last ones.
public struct HapticLog: Sendable, Equatable {
    /// The most pulses that are kept: the older ones go.
    static let capacity = 64

    /// The number of all.
    public private(set) var count = 0
    /// The last ones, oldest first, at most 64.
    public private(set) var pulses: [HapticPulse] = []

    mutating func enter(_ pulse: HapticPulse) {
        count += 1
        pulses.append(pulse)
        if pulses.count > HapticLog.capacity { pulses.removeFirst() }
    }
}
