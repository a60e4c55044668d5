/// A check-off in the history. Times are seconds since 1970 in the owner's time zone.
package struct CheckOff: Equatable, Codable, Sendable {
    /// Its position in the history, ascending.
    package let number: Int64
    package let item: UInt32
    /// The item's title at that time.
    package let title: String
    /// When the phone stored it.
    package let arrival: Int64
    package let source: Source

    package enum Source: Equatable, Codable, Sendable {
        /// Checked off on the phone, when the phone stored it.
        case phone
        /// Checked off on a watch, possibly long before the phone stored it.
        case watch(Tap)
    }

    /// A tap on a watch. Within one run of a watch, sequences give the order, regardless of the watch's clock.
    package struct Tap: Equatable, Codable, Sendable {
        package let watch: UInt64
        package let run: UInt32
        package let sequence: UInt32
        /// The time by the watch's clock; nil if the watch did not know it.
        package let time: Int64?
    }

    /// How far a watch's clock may be ahead of the phone's, in seconds. The phone sets it at each hello.
    private static let tolerance: Int64 = 120

    /// The time by the watch's clock, or the arrival if that clock was ahead.
    var time: Int64 {
        guard case .watch(let tap) = source, let time = tap.time, time <= arrival + CheckOff.tolerance else {
            return arrival
        }
        return time
    }

    /// The watch and its run; nil for the phone.
    var watchRun: [UInt64]? {
        switch source {
        case .phone: nil
        case .watch(let tap): [tap.watch, UInt64(tap.run)]
        }
    }

    /// The position among the check-offs of its watch, or in the history for the phone.
    var sequence: Int64 {
        switch source {
        case .phone: number
        case .watch(let tap): Int64(tap.sequence)
        }
    }
}

/// An event of the history that affects an order.
package enum OrderEvent: Equatable, Sendable {
    case checked(CheckOff)
    /// An item was put back on the list.
    case unchecked(number: Int64, item: UInt32, at: Int64)

    /// Its position in the history.
    package var number: Int64 {
        switch self {
        case .checked(let checkOff): checkOff.number
        case .unchecked(let number, _, _): number
        }
    }
}
