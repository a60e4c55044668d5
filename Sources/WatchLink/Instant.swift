/// A length of time in whole microseconds, the unit of every clock, deadline and mark in Tapline.
///
/// Range: 0 to 2^64 - 1 microseconds. Arithmetic saturates at zero instead of wrapping, because a length of time is never
/// negative and a clock that steps back must not turn into a deadline in the far future.
public struct Microseconds: Comparable, Sendable, BitwiseCopyable {
    /// The count of microseconds.
    public var count: UInt64

    /// A length of `count` microseconds.
    public init(_ count: UInt64) {
        self.count = count
    }

    /// No time at all.
    public static var zero: Microseconds { Microseconds(0) }

    /// A length of `count` milliseconds.
    public static func milliseconds(_ count: UInt32) -> Microseconds {
        Microseconds(UInt64(word: count) &* 1_000)
    }

    /// A length of `count` seconds.
    public static func seconds(_ count: UInt32) -> Microseconds {
        Microseconds(UInt64(word: count) &* 1_000_000)
    }

    /// The shorter length comes first.
    public static func < (left: Microseconds, right: Microseconds) -> Bool {
        left.count < right.count
    }

    /// The sum, or the longest representable length where it would overflow.
    public static func + (left: Microseconds, right: Microseconds) -> Microseconds {
        let (sum, overflow) = left.count.addingReportingOverflow(right.count)
        return Microseconds(overflow ? .max : sum)
    }
}

/// A point in time on a board's monotonic clock: microseconds since the board started.
public struct Instant: Comparable, Sendable, BitwiseCopyable {
    /// Microseconds since the board started.
    public var microseconds: UInt64

    /// The point `microseconds` after the board started.
    public init(microseconds: UInt64) {
        self.microseconds = microseconds
    }

    /// The moment the board started.
    public static var start: Instant { Instant(microseconds: 0) }

    /// The earlier point comes first.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The point `length` after `instant`, or the last representable one where that would overflow.
    public static func + (instant: Instant, length: Microseconds) -> Instant {
        let (sum, overflow) = instant.microseconds.addingReportingOverflow(length.count)
        return Instant(microseconds: overflow ? .max : sum)
    }

    /// The time from `earlier` to `later`, zero where `earlier` is in fact the later one.
    public static func - (later: Instant, earlier: Instant) -> Microseconds {
        Microseconds(later < earlier ? 0 : later.microseconds &- earlier.microseconds)
    }
}
