import Watch
import WatchLink

/// Something that the wearer has waited for besides a tap, and how long.
public struct MomentRecord: Sendable, Equatable {
    /// What it is.
    public let moment: WatchMoment
    /// From when the wearer waited.
    public let from: Instant
    /// When the panel showed it.
    public let at: Instant

    /// The time between the two.
    public var length: Microseconds { at - from }
}

/// The last moments that the wearer has waited for.
package struct MomentLog: Sendable, Equatable {
    /// The most that are kept: the older ones go.
    static let capacity = 64

    /// Oldest first, at most `capacity`.
    package private(set) var records: [MomentRecord] = []
    /// All that there have been, those that are no longer kept included.
    package private(set) var count = 0

    mutating func enter(_ record: MomentRecord) {
        records.append(record)
        count += 1
        if records.count > MomentLog.capacity { records.removeFirst() }
    }
}

extension WatchMoment {
    package static let all: [WatchMoment] = [.launch, .arrival, .raise]

    package var label: String {
        switch self {
        case .launch: "launch"
        case .arrival: "arrival"
        case .raise: "raise"
        }
    }

    /// What has happened then, as scripts say it.
    package var participle: String {
        switch self {
        case .launch: "launched"
        case .arrival: "arrived"
        case .raise: "raised"
        }
    }
}
