import WatchLink

/// What starting the haptic driver takes.
public struct HapticCost: Sendable, Equatable {
    /// Writing the pattern's number and the order to start over the bus, for which the processor waits.
    public var busWrite: Microseconds
    /// From the order to the first movement, for which nobody waits.
    public var start: Microseconds

    /// A driver of these lengths.
    public init(busWrite: Microseconds, start: Microseconds) {
        self.busWrite = busWrite
        self.start = start
    }
}
