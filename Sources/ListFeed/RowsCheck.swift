import WatchLink

/// The rows check of PROTOCOL.md: equal where two sides have the same rows and the same number of items beyond them.
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

/// Whether a watch has the rows that the phone expects.
package enum RowsAgreement: Equatable, Sendable {
    /// It has, or that cannot be known now.
    case agreed
    /// It has others: it gets the list again, beginning with a clear.
    case repair
    /// It has others, and got the list less than a minute ago.
    case repairedLately

    /// The least seconds between two repairs of one watch.
    package static let repairInterval = 60.0

    /// - Parameters:
    ///   - reported: the check of a watch that has nothing waiting.
    ///   - projection: what the watch should have.
    ///   - isComplete: whether the watch has applied everything that was issued to it.
    ///   - sinceRepair: seconds since the last repair, nil for never. Negative where the clock was set back.
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
