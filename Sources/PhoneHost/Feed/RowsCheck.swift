import WatchLink

/// A checksum of a watch's rows, as PROTOCOL.md defines it. Watch and phone compute the same checksum if both have the same rows
/// and the same number of open items beyond these rows.
package struct RowsCheck: Equatable, Sendable {
    package let value: UInt32

    package init(_ rows: [FeedRow], more: UInt32) {
        var value = RowsCheck.check(of: more)
        for row in rows { value ^= RowsCheck.check(of: row) }
        self.value = value
    }

    private static func check(of row: FeedRow) -> UInt32 {
        var check = CRC32()
        check.update(bigEndian: row.id)
        check.update(bigEndian: row.rank)
        check.update(row.title.completeness.rawValue)
        check.update(row.title.utf8)
        return check.scattered
    }

    private static func check(of more: UInt32) -> UInt32 {
        var check = CRC32()
        check.update(bigEndian: more)
        return check.checksum
    }
}

extension CRC32 {
    fileprivate mutating func update(bigEndian word: UInt32) {
        update(word: word.byteSwapped)
    }
}

package enum RowsAgreement: Equatable, Sendable {
    /// The watch has the expected rows, or the phone cannot compare them now.
    case agreed
    /// The rows differ. The phone sends the watch its whole list.
    case repair
    /// The rows differ, but the last repair was less than `repairInterval` ago. The phone does not send the list yet.
    case repairedLately

    /// The minimum time between two repairs of the same watch's rows, in seconds.
    package static let repairInterval = 60.0

    /// Compares the watch's checksum with the expected one.
    ///
    /// - Parameters:
    ///   - reported: the checksum from the watch; nil if the watch has sent no checksum.
    ///   - projection: the rows that the watch should have.
    ///   - isComplete: whether the watch had applied every queued message of the phone when it reported.
    ///   - sinceRepair: seconds since the last repair; nil for never, negative if the clock was set back.
    package init(
        reported: UInt32?, projection: FeedProjection, isComplete: Bool, sinceRepair: Double?
    ) {
        guard let reported, isComplete, let expected = projection.check, expected.value != reported else {
            self = .agreed
            return
        }
        let isLately = sinceRepair.map { (0..<RowsAgreement.repairInterval).contains($0) } ?? false
        self = isLately ? .repairedLately : .repair
    }
}
