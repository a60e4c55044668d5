import WatchLink

/// The hardware of a watch: panel, input, haptic driver, flash chip, radio, clock, and a sink for trace events.
///
/// The runtime is generic over its board, so that on the device every call is a direct one. The run loop calls the
/// board from one thread, never concurrently.
public protocol Board: Panel, InputSource, HapticDriver, NORFlash, Radio, BoardClock, TraceSink, ~Copyable {
    /// Waits for an input, a datagram, the end of a flash operation or a change of the radio's state, or until
    /// `deadline`. The run loop calls it after `WatchRuntime.step` returned `.idle`.
    ///
    /// It may return early, and returns at once where such an event is pending.
    ///
    /// - Parameter deadline: the latest time to return; nil waits for an event alone.
    mutating func idle(until deadline: Instant?)
}
