/// A length of time in whole microseconds, the unit of every clock, deadline and mark in Tapline.
///
/// Range: 0 to 2^64 - 1 microseconds. Arithmetic saturates at zero instead of wrapping, because a length of time is
/// never negative and a clock that steps back must not turn into a deadline in the far future.
public struct Microseconds: Comparable, Sendable, BitwiseCopyable {
    /// The number of microseconds.
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

    /// The whole seconds, up to 2^32 - 1 (136 years); more are cut off.
    ///
    /// Divided by hand in digits of 16 bits, because a division of 64 bits takes 700 bytes of the device's flash.
    public var wholeSeconds: UInt32 {
        // 1,000,000 is 64 times 15,625, which leaves remainders that a digit can be put behind within 32 bits.
        var rest: UInt32 = 0
        let high = count.highWord >> 6
        let low = (count &>> 6).lowWord
        rest = high % 15_625
        let upper = rest << 16 | low >> 16
        rest = upper % 15_625
        let lower = rest << 16 | low & 0xFFFF
        return (upper / 15_625) << 16 | lower / 15_625
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
