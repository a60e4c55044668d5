import WatchLink

/// The clock by which an endpoint measures all its times and deadlines. A test can pass a clock of its own.
public protocol LinkClock: Sendable {
    /// The time now. It never goes back.
    var now: WatchLink.Instant { get }

    /// Returns at `deadline`, or at once if it has passed.
    /// - Throws: `CancellationError` if the task is cancelled first.
    func sleep(until deadline: WatchLink.Instant) async throws
}

/// The computer's monotonic clock. It counts microseconds since its first use in this process, also while the computer is
/// suspended.
public struct SystemClock: LinkClock {
    private static let start = ContinuousClock.now

    /// Makes the clock. All values of this type show the same time.
    public init() {}

    /// The time now.
    public var now: WatchLink.Instant {
        // The first use of `start` sets `start` to the present. If the clock were read before that, the elapsed time would be
        // negative.
        let start = SystemClock.start
        let elapsed = (ContinuousClock.now - start).components
        return WatchLink.Instant(
            microseconds: UInt64(elapsed.seconds) * 1_000_000 + UInt64(elapsed.attoseconds / 1_000_000_000_000))
    }

    /// Returns at `deadline`, or at once if it has passed.
    public func sleep(until deadline: WatchLink.Instant) async throws {
        let length = Duration.microseconds(Int64(clamping: deadline.microseconds))
        try await Task.sleep(until: SystemClock.start + length, clock: .continuous)
    }
}
