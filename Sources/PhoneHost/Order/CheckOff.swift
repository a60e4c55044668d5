/// A check-off, as a history has it. Times are seconds since 1970 in the owner's time zone.
package struct CheckOff: Equatable, Codable, Sendable {
    /// Its place in the history, which ascends.
    package let number: Int64
    /// The item's identifier.
    package let item: UInt32
    /// The item's title at the time.
    package let title: String
    /// When the phone stored it.
    package let arrival: Int64
    package let source: Source

    /// Where something was checked off.
    package enum Source: Equatable, Codable, Sendable {
        /// On the phone, when it was stored.
        case phone
        /// On a wrist, perhaps long before.
        case watch(Tap)
    }

    /// A tap on a watch. One watch's taps of one run are in the order of their sequence, whatever its clock said.
    package struct Tap: Equatable, Codable, Sendable {
        package let watch: UInt64
        /// The watch's run.
        package let run: UInt32
        package let sequence: UInt32
        /// When it was, by the watch's clock; nil where that did not know the time.
        package let time: Int64?

        package init(watch: UInt64, run: UInt32, sequence: UInt32, time: Int64?) {
            self.watch = watch
            self.run = run
            self.sequence = sequence
            self.time = time
        }
    }

    package init(number: Int64, item: UInt32, title: String, arrival: Int64, source: Source) {
        self.number = number
        self.item = item
        self.title = title
        self.arrival = arrival
        self.source = source
    }

    /// How far ahead of the phone's clock a watch's may be, in seconds, which a phone sets at each hello.
    private static let tolerance: Int64 = 120

    /// When it was: by the watch's clock, unless that is ahead of the arrival.
    var time: Int64 {
        guard case .watch(let tap) = source, let time = tap.time, time <= arrival + CheckOff.tolerance else {
            return arrival
        }
        return time
    }

    /// The watch, and its run; nil for the phone.
    var wrist: [UInt64]? {
        switch source {
        case .phone: nil
        case .watch(let tap): [tap.watch, UInt64(tap.run)]
        }
    }

    /// The place among those of its wrist; the number for the phone's.
    var sequence: Int64 {
        switch source {
        case .phone: number
        case .watch(let tap): Int64(tap.sequence)
        }
    }
}

/// What a history says of an order.
package enum OrderEvent: Equatable, Sendable {
    case checked(CheckOff)
    /// An item was put back, at this time.
    case unchecked(number: Int64, item: UInt32, at: Int64)

    /// Its place in the history.
    package var number: Int64 {
        switch self {
        case .checked(let checkOff): checkOff.number
        case .unchecked(let number, _, _): number
        }
    }
}
