/// Legacy's tap-to-update with a list of this length on the phone and a radio link that carries so much, on a full watch.
package struct LegacyPoint: Sendable, Codable, Equatable {
    /// Items in the phone's database.
    package var database: Int
    /// Packets that a connection event carries each way at most.
    package var packetsPerEvent: Int
    /// Tap-to-update; nil where no tap updated the panel.
    package var updated: Distribution?
}

extension [LegacyPoint] {
    /// As a table: a row for each list, with a median for each number of packets.
    package var rows: [(database: Int, medians: [UInt64?])] {
        var rows: [(database: Int, medians: [UInt64?])] = []
        for point in self {
            if rows.last?.database != point.database { rows.append((point.database, [])) }
            rows[rows.count - 1].medians.append(point.updated?.p50)
        }
        return rows
    }

    /// The packets of an event, as the columns of that table have them.
    package var packets: [Int] {
        guard let first else { return [] }
        return filter { $0.database == first.database }.map(\.packetsPerEvent)
    }
}
