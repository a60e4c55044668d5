/// A vibration pattern.
public enum HapticPattern: UInt8, Sendable, BitwiseCopyable {
    /// A short click: an item was checked off.
    case click = 0
    /// Two pulses: the list is done.
    case success = 1
    /// One long pulse: the request failed.
    case failure = 2
}

/// The haptic driver. A pattern takes a bus write to start and then plays by itself.
public protocol HapticDriver: ~Copyable {
    /// Starts `pattern` and returns at once. It replaces a pattern that still plays.
    mutating func play(_ pattern: HapticPattern)
}
