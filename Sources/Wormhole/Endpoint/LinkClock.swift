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

/// The machine's clock: microseconds since the first use of it in this process, including the time that the machine is
/// suspended.
public struct SystemClock: LinkClock {
    private static let start = ContinuousClock.now

    /// The machine's clock.
    public init() {}

    /// The time now.
    public var now: WatchLink.Instant {
        // Reading the start first creates it on the first use, so that it is not later than now.
        let start = SystemClock.start
        let elapsed = (ContinuousClock.now - start).components
        return WatchLink.Instant(
            microseconds: UInt64(elapsed.seconds) * 1_000_000 + UInt64(elapsed.attoseconds / 1_000_000_000_000))
    }

    /// Returns at `deadline`, or at once where that has passed.
    public func sleep(until deadline: WatchLink.Instant) async throws {
        let length = Duration.microseconds(Int64(clamping: deadline.microseconds))
        try await Task.sleep(until: SystemClock.start + length, clock: .continuous)
    }
}
