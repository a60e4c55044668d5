/// A time of the wearer's time zone, as the face shows it, in whole seconds. Range: years 1970 to 2105.
public struct LocalTime: Comparable, Sendable, BitwiseCopyable {
    /// Seconds since 1970-01-01 00:00 local time.
    public var seconds: UInt32

    /// The time in seconds since 1970-01-01 00:00 local time.
    public init(seconds: UInt32) {
        self.seconds = seconds
    }

    /// Whether `left` is before `right`.
    public static func < (left: LocalTime, right: LocalTime) -> Bool {
        left.seconds < right.seconds
    }
}

extension LocalTime {
    /// Whole minutes from this time to `other`, negative where that is earlier.
    func minutes(to other: UInt32) -> Int32 {
        other >= seconds
            ? Int32(truncatingIfNeeded: (other - seconds) / 60) : -Int32(truncatingIfNeeded: (seconds - other) / 60)
    }
}
