/// What the wearer feels.
public enum HapticPattern: UInt8, Sendable, BitwiseCopyable {
    /// A short click: an item was checked off.
    case click = 0
    /// Two pulses: the list is done.
    case success = 1
    /// One long pulse: the thing asked for cannot be done.
    case failure = 2
}

/// The haptic driver. Starting a pattern takes a bus write; the pattern then plays by itself.
public protocol HapticDriver: ~Copyable {
    /// Starts `pattern` and returns at once; a pattern still playing is replaced.
    mutating func play(_ pattern: HapticPattern)
}
