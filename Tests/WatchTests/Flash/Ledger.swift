@testable import Watch

/// A client that keeps every record that it receives, in order, and has no state to snapshot.
struct Ledger: JournalClient {
    struct Entry: Equatable {
        var kind: UInt8
        var payload: [UInt8]
    }

    var entries: [Entry] = []

    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome {
        entries.append(Entry(kind: kind.rawValue, payload: (0..<payload.count).map { payload[$0] }))
        return .applied
    }

    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord? {
        nil
    }
}

extension Array where Element: Equatable {
    /// Whether leaving out some elements of `whole` gives this array.
    func isLeft(of whole: [Element]) -> Bool {
        var next = startIndex
        for element in whole where next < endIndex && element == self[next] { next += 1 }
        return next == endIndex
    }
}
