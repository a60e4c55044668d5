import WatchLink

/// All that the runtime knows of the world: a panel, touch and buttons, a haptic driver, a flash chip, a radio, a clock,
/// and a place to report what happened.
///
/// A board conforms to each part in a file of its own. The runtime is generic over it, so on the device every call is a
/// direct one.
public protocol Board: Panel, InputSource, HapticDriver, NORFlash, Radio, BoardClock, TraceSink, ~Copyable {
    /// Waits until something happens or `deadline` passes: input, a datagram, the end of a flash operation, a change of
    /// the radio's state. It may return early; it must not return late for an event that was already pending when it was
    /// called. Without a deadline it waits for an event alone.
    mutating func idle(until deadline: Instant?)
}
