import WatchLink

/// The machine's clock: microseconds since the first use of it in this process, going on while the machine sleeps.
public struct SystemClock: LinkClock {
    private static let start = ContinuousClock.now

    /// The machine's clock.
    public init() {}

    /// The time now.
    public var now: WatchLink.Instant {
        // The start is read first: on the first use it is made by reading it, and must not be later than now.
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
