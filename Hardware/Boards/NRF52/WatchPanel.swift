import Watch
import WatchLink

/// What `NRF52Board` needs of a panel besides `Panel`.
protocol WatchPanel: Panel, ~Copyable {
    /// The bus and the clock must run already.
    init(arena: inout MemoryArena)

    /// Without a crown, a dragging finger scrolls.
    static var hasCrown: Bool { get }

    /// `x` and `y` are in the touch controller's units.
    static func pixel(x: Int, y: Int) -> (x: Int16, y: Int16)

    /// Lights the panel, because the wearer did something. Returns whether it was lit before.
    mutating func wake(at now: Instant) -> Bool

    /// Returns when it must be called again.
    mutating func attend(at now: Instant) -> Instant
}
