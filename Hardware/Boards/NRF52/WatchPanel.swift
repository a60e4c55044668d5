import Watch
import WatchLink

/// The panel driver of an `NRF52Board`. Besides drawing (`Panel`), it converts touch coordinates, and does the panel's timed
/// work.
protocol WatchPanel: Panel, ~Copyable {
    /// Sets the panel up. The caller must have started `SPIBus` and `RealTimeClock`.
    init(arena: inout MemoryArena)

    /// Whether the watch has a crown. Without one, the wearer scrolls by dragging a finger.
    static var hasCrown: Bool { get }

    /// Converts a touch's coordinates, as the touch controller reports them, to a pixel of the picture.
    static func pixel(x: Int, y: Int) -> (x: Int16, y: Int16)

    /// Lights the panel, or extends the time that it stays lit, after an input of the wearer. Returns whether it was already
    /// lit.
    mutating func wake(at now: Instant) -> Bool

    /// Does the work that is due at `now`, such as switching the light off. Returns the time at which the caller must call
    /// this again.
    mutating func attend(at now: Instant) -> Instant
}
