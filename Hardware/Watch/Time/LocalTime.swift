/// Seconds since 1970-01-01 00:00 in the wearer's time zone: what a watch face shows. Range: years 1970 to 2105.
public struct LocalTime: Comparable, Sendable, BitwiseCopyable {
    /// The count of seconds.
    public var seconds: UInt32

    /// The time `seconds` after 1970-01-01 00:00, local time.
    public init(seconds: UInt32) {
        self.seconds = seconds
    }

    /// The earlier time comes first.
    public static func < (left: LocalTime, right: LocalTime) -> Bool {
        left.seconds < right.seconds
    }
}
