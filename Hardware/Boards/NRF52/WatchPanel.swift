import Watch
import WatchLink

/// A panel with what `NRF52Board` needs besides `Panel`.
protocol WatchPanel: Panel, ~Copyable {
    /// The bus and the clock must run already.
    init(arena: inout MemoryArena)

    /// Without a crown, a dragging finger scrolls.
    static var hasCrown: Bool { get }

    /// `x` and `y` are in the touch controller's units.
    static func pixel(x: Int, y: Int) -> (x: Int16, y: Int16)

    /// Lights the panel, because the wearer did something. Returns whether it was lit before.
    mutating func wake(at now: Instant) -> Bool

    /// Does what the panel needs at this time, such as switching its light off. Returns when it must be called again.
    mutating func attend(at now: Instant) -> Instant
}
