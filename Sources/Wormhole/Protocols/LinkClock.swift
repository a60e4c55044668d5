import WatchLink

/// Time, as an argument: the endpoint reads and waits for nothing else.
public protocol LinkClock: Sendable {
    /// The time now. It never goes back.
    var now: WatchLink.Instant { get }

    /// Returns at `deadline`, or at once where that has passed.
    ///
    /// - Throws: `CancellationError` when the task is cancelled first.
    func sleep(until deadline: WatchLink.Instant) async throws
}
