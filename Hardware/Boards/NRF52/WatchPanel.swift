import Watch
import WatchLink

/// What the panels of this part's boards do beyond `Panel`.
protocol WatchPanel: Panel, ~Copyable {
    /// Configures its pins and starts the panel. The bus and the clock run already.
    init(arena: inout MemoryArena)

    /// Whether the board has a crown. On one without, a finger that drags does the crown's work.
    static var hasCrown: Bool { get }

    /// The pixel of the picture under a place on the touch controller's raster.
    static func pixel(x: Int, y: Int) -> (x: Int16, y: Int16)

    /// What the wearer does lights the panel. Returns whether the wearer saw the picture before.
    mutating func wake(at now: Instant) -> Bool

    /// Does what is due, and returns when there is more.
    mutating func attend(at now: Instant) -> Instant
}
