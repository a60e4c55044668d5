/// A length of time in whole microseconds, 0 to 2^64 - 1. A sum of lengths is never above this range, and a difference of
/// instants is never below it. So a clock that steps back does not cause a deadline in the far future.
public struct Microseconds: Comparable, Sendable, BitwiseCopyable {
    /// The number of microseconds.
    public var count: UInt64

    /// A length of `count` microseconds.
    public init(_ count: UInt64) {
        self.count = count
    }

    /// A length of zero.
    public static var zero: Microseconds { Microseconds(0) }

    /// A length of `count` milliseconds, up to 49 days.
    public static func milliseconds(_ count: UInt32) -> Microseconds {
        Microseconds(UInt64(word: count) &* 1_000)
    }

    /// A length of `count` seconds, up to 136 years.
    public static func seconds(_ count: UInt32) -> Microseconds {
        Microseconds(UInt64(word: count) &* 1_000_000)
    }

    /// The number of whole seconds in this length, modulo 2^32. The code divides 16 bits at a time, because the code for a
    /// 64-bit division would take 700 bytes of the device's flash.
    public var wholeSeconds: UInt32 {
        // 1,000,000 is 64 times 15,625. A remainder of the division by 15,625 and another digit fit into 32 bits.
        var rest: UInt32 = 0
        let high = count.highWord >> 6
        let low = (count &>> 6).lowWord
        rest = high % 15_625
        let upper = rest << 16 | low >> 16
        rest = upper % 15_625
        let lower = rest << 16 | low & 0xFFFF
        return (upper / 15_625) << 16 | lower / 15_625
    }

    /// Whether `left` is shorter than `right`.
    public static func < (left: Microseconds, right: Microseconds) -> Bool {
        left.count < right.count
    }

    /// The sum, at most the longest representable length.
    public static func + (left: Microseconds, right: Microseconds) -> Microseconds {
        let (sum, overflow) = left.count.addingReportingOverflow(right.count)
        return Microseconds(overflow ? .max : sum)
    }
}

/// A point in time on a monotonic clock. A board's clock starts when the board starts. A host program's clock starts when the
/// program first reads it.
public struct Instant: Comparable, Sendable, BitwiseCopyable {
    /// Microseconds since the clock started.
    public var microseconds: UInt64

    /// The instant that is `microseconds` after the clock's start.
    public init(microseconds: UInt64) {
        self.microseconds = microseconds
    }

    /// The moment at which the clock started.
    public static var start: Instant { Instant(microseconds: 0) }

    /// Whether `left` is before `right`.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.microseconds < right.microseconds
    }

    /// The point `length` after `instant`, at most the last representable point.
    public static func + (instant: Instant, length: Microseconds) -> Instant {
        let (sum, overflow) = instant.microseconds.addingReportingOverflow(length.count)
        return Instant(microseconds: overflow ? .max : sum)
    }

    /// The time from `earlier` to `later`, zero if `earlier` is after `later`.
    public static func - (later: Instant, earlier: Instant) -> Microseconds {
        Microseconds(later < earlier ? 0 : later.microseconds &- earlier.microseconds)
    }
}

// 64-bit integers are wider than a word of the device. There the generic conversions (`UInt64(x)`, `UInt32(y)`, `y >> 8`) need an
// array of words on the heap, and the firmware has no heap. These conversions need none. Shifts must be the masking ones (`&>>`,
// `&<<`).

extension UInt64 {
    package init(word: UInt32) {
        self.init(_truncatingBits: UInt(word))
    }

    package init(high: UInt32, low: UInt32) {
        self = UInt64(word: high) &<< 32 | UInt64(word: low)
    }

    package var lowWord: UInt32 { UInt32(truncatingIfNeeded: _lowWord) }

    package var highWord: UInt32 { (self &>> 32).lowWord }
}
