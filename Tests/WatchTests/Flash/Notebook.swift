import SeededNumbers
import WatchLink

@testable import Watch

/// A client whose state is easy to compare: at most 256 notes, each under a number.
struct Notebook: JournalClient, Equatable {
    /// The kind of its records: number of the note, then its bytes.
    static let write = RecordKind(rawValue: 1)
    /// Number of the note to take out.
    static let erase = RecordKind(rawValue: 2)
    /// One that it does not know.
    static let unknown = RecordKind(rawValue: 200)

    /// One change, as it is appended.
    struct Change {
        var kind: RecordKind
        var payload: [UInt8]

        static func random(using random: inout SplitMix64, notes: UInt8 = 12, longest: Int = 90) -> Change {
            let number = UInt8.random(in: 0..<notes, using: &random)
            switch UInt8.random(in: 0..<10, using: &random) {
            case 0, 1: return Change(kind: erase, payload: [number])
            case 2:
                return Change(kind: write, payload: [number] + random.bytes(.random(in: 0...longest, using: &random)))
            default: return Change(kind: write, payload: [number] + random.bytes(.random(in: 0...40, using: &random)))
            }
        }
    }

    var notes: [UInt8: [UInt8]] = [:]

    mutating func apply(_ change: Change) {
        _ = replay(change.kind, payload: change.payload.span)
    }

    mutating func replay(_ kind: RecordKind, payload: Span<UInt8>) -> ReplayOutcome {
        guard kind == Notebook.write || kind == Notebook.erase else { return .unknownKind }
        guard !payload.isEmpty else { return .unreadable }
        notes[payload[0]] = kind == Notebook.write ? (1..<payload.count).map { payload[$0] } : nil
        return .applied
    }

    mutating func nextSnapshotRecord(
        cursor: inout SnapshotCursor, into payload: inout MutableSpan<UInt8>
    ) -> SnapshotRecord? {
        while cursor.element < 256 {
            let number = UInt8(cursor.element)
            cursor.element += 1
            guard let note = notes[number] else { continue }
            payload[0] = number
            for index in note.indices { payload[index + 1] = note[index] }
            return SnapshotRecord(kind: Notebook.write, count: note.count + 1)
        }
        return nil
    }
}
