/// A check-off from which the phone learns the order of a shop. All times are local seconds since 1970.
package struct CheckOff: Equatable, Codable, Sendable {
    /// The number of the check-off's history entry. Later entries have higher numbers.
    package let number: Int64
    package let item: UInt32
    package let title: String
    /// When the phone stored the check-off.
    package let arrival: Int64
    package let source: Source

    package enum Source: Equatable, Codable, Sendable {
        case phone
        /// The wearer checked the item off on a watch, possibly long before the phone stored it.
        case watch(Tap)
    }

    /// A tap on a watch. The random number `run` identifies the time from one start of the watch to the next. Within this time,
    /// `sequence` gives the order of the taps, even if the watch's clock was set between them.
    package struct Tap: Equatable, Codable, Sendable {
        package let watch: UInt64
        package let run: UInt32
        package let sequence: UInt32
        /// When the wearer tapped, by the watch's clock; nil if the watch did not know the time.
        package let time: Int64?
    }

    /// How far a watch's clock may be ahead of the phone's, in seconds. The phone sets the watch's clock whenever the watch
    /// connects.
    private static let tolerance: Int64 = 120

    /// When the item was checked off. This is the time of the tap by the watch's clock. It is `arrival` if there was no tap, or
    /// if the tap's time is unknown or more than 2 minutes after `arrival`.
    var time: Int64 {
        guard case .watch(let tap) = source, let time = tap.time, time <= arrival + CheckOff.tolerance else {
            return arrival
        }
        return time
    }

    var watchRun: [UInt64]? {
        switch source {
        case .phone: nil
        case .watch(let tap): [tap.watch, UInt64(tap.run)]
        }
    }

    /// The key by which check-offs from the same source are sorted. The source is one run of a watch, or the phone.
    var sequence: Int64 {
        switch source {
        case .phone: number
        case .watch(let tap): Int64(tap.sequence)
        }
    }
}

/// A history entry from which the phone learns the order of a shop.
package enum OrderEvent: Equatable, Sendable {
    case checked(CheckOff)
    /// The owner or wearer put a checked item back on the list.
    case unchecked(number: Int64, item: UInt32, at: Int64)

    package var number: Int64 {
        switch self {
        case .checked(let checkOff): checkOff.number
        case .unchecked(let number, _, _): number
        }
    }
}
