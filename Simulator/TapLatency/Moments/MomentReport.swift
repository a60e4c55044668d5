/// How long the wearer waits for what is no tap, each beside the time that the panel alone needs for it. Times are microseconds.
package struct MomentReport: Sendable, Codable, Equatable {
    /// The profile's name.
    package var profile: String
    /// Items on the watch.
    package var items: Int
    package var seed: UInt64
    /// Where the processor's time comes from.
    package var processor: ProcessorTime
    package var moments: [MomentFigures]

    /// The report as JSON: indented, keys in alphabetical order. The same report gives the same bytes.
    package var json: [UInt8] { reportJSON() }
}

/// The figures of one kind of moment.
package struct MomentFigures: Sendable, Codable, Equatable {
    /// What is waited for.
    package var moment: MeasuredMoment
    /// How often it was measured.
    package var count: Int
    /// The time that half of them stay within.
    package var p50: UInt64
    /// The time that 99 % stay within.
    package var p99: UInt64
    /// Sending the changed lines alone, in the same half.
    package var floor: UInt64
    /// The 99th percentile of each time divided by its own floor.
    package var ratio: Double

    /// - Parameter times: each with its floor, at least one.
    init(_ moment: MeasuredMoment, _ times: [(time: UInt64, floor: UInt64)]) {
        self.moment = moment
        count = times.count
        p50 = MomentFigures.percentile(50, of: times.map(\.time))
        p99 = MomentFigures.percentile(99, of: times.map(\.time))
        floor = MomentFigures.percentile(50, of: times.map(\.floor))
        ratio = MomentFigures.percentile(99, of: times.map { Double($0.time) / Double(max(1, $0.floor)) })
    }

    /// The smallest value that `share` percent of them do not exceed.
    private static func percentile<Value: Comparable>(_ share: Int, of values: [Value]) -> Value {
        let sorted = values.sorted()
        return sorted[max(0, (sorted.count * share + 99) / 100 - 1)]
    }
}

/// What is measured beside taps.
package enum MeasuredMoment: String, Sendable, Codable, CaseIterable {
    /// From the touch of the face to the list on the panel.
    case launch
    /// From the arrival of an item that was added on the phone to the face that counts it.
    case arrivalOnFace = "arrival on the face"
    /// The same to the list that counts it, or shows it where it has room.
    case arrivalOnList = "arrival on the list"
    /// From the raised wrist to the face with what has waited for it.
    case raise = "raised wrist"
}
