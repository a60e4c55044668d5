/// A check-off from which the order of a shop learns. Times are seconds since 1970 in the owner's time zone.
package struct CheckOff: Equatable, Codable, Sendable {
    /// The check-off's number in the history, which grows with each entry.
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

    /// A tap on a watch. A run is the time from one start of the watch to the next. Within a run, sequence numbers give the
    /// order of taps, even if the watch's clock was set.
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

    /// When the item was checked off: the time of the tap by the watch's clock. If that time is unknown, or more than 2 minutes
    /// after `arrival`, the result is `arrival`.
    var time: Int64 {
        guard case .watch(let tap) = source, let time = tap.time, time <= arrival + CheckOff.tolerance else {
            return arrival
        }
        return time
    }

    /// The identity of the watch and the number of its run; nil if the source is the phone.
    var watchRun: [UInt64]? {
        switch source {
        case .phone: nil
        case .watch(let tap): [tap.watch, UInt64(tap.run)]
        }
    }

    /// A number that orders the check-offs of one source: the watch's sequence number, or the number in the history.
    var sequence: Int64 {
        switch source {
        case .phone: number
        case .watch(let tap): Int64(tap.sequence)
        }
    }
}

/// A history entry from which a shop's order learns.
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
