import Foundation
import GRDB
import WatchLink
import Wormhole

/// Stores the notes that the owner writes for the watch's face. Call these functions inside a transaction.
enum NoteTable {
    static let definition = """
        CREATE TABLE note (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            text TEXT NOT NULL CHECK (text <> ''),
            startsAt INTEGER NOT NULL,
            -- Null for one that is shown until it is removed.
            endsAt INTEGER CHECK (endsAt > startsAt),
            relevance INTEGER NOT NULL CHECK (relevance BETWEEN 0 AND 255),
            push TEXT NOT NULL CHECK (push IN ('wanted', 'queued', 'never'))
        ) STRICT;
        """

    /// The maximum number of notes that the database stores. Adding a note first deletes notes that have ended.
    static let most = 64

    /// An SQL condition that is true if a note has ended. The argument is the present time, in milliseconds since 1970.
    /// The face shows whole minutes, so a note lasts at least to the end of its first minute.
    private static let isOver = "max(endsAt, (startsAt / 60000 + 1) * 60000) <= ?"

    static func present(_ db: Database, at now: Date) throws -> [FaceNote] {
        try StoredRow.all(
            db, of: "note", sql: "SELECT * FROM note WHERE endsAt IS NULL OR NOT \(isOver) ORDER BY number LIMIT ?",
            arguments: [now.storedMilliseconds, most]
        ).map(FaceNote.init(row:))
    }

    /// The numbers of the notes whose pushes are not queued yet. A push makes the watches show a note at once.
    static func wantingPush(_ db: Database) throws -> [Int64] {
        try StoredRow.all(
            db, of: "note", sql: "SELECT number FROM note WHERE push = ?",
            arguments: [FaceNote.Push.wanted.rawValue]
        ).map { try $0["number"] }
    }

    static func deleteEnded(_ db: Database, at now: Date) throws {
        try db.execute(cached: "DELETE FROM note WHERE \(isOver)", arguments: [now.storedMilliseconds])
    }

    /// Stores a note.
    ///
    /// - Throws: `.note` if the note cannot be stored.
    static func add(_ db: Database, _ draft: NoteDraft, _ dependencies: PhoneDependencies) throws -> FaceNote {
        let now = dependencies.now()
        let start = draft.start ?? now
        for time in [start, draft.end].compactMap(\.self) where dependencies.localSeconds(time) == .max {
            throw PhoneError.note(.beyondCalendar)
        }
        if let end = draft.end {
            guard end > now else { throw PhoneError.note(.over) }
            guard end.storedMilliseconds > start.storedMilliseconds else { throw PhoneError.note(.endsBeforeStart) }
        }
        try deleteEnded(db, at: now)
        let count = try Int.fetchOne(db, cached: "SELECT count(*) FROM note") ?? 0
        guard count < most else { throw PhoneError.note(.tooMany(most: most)) }
        try db.execute(
            cached: "INSERT INTO note (text, startsAt, endsAt, relevance, push) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                draft.text, start.storedMilliseconds, draft.end?.storedMilliseconds, draft.relevance,
                draft.push.rawValue,
            ])
        return FaceNote(
            number: db.lastInsertedRowID, text: draft.text, from: start, until: draft.end, relevance: draft.relevance,
            push: draft.push)
    }

    /// Removes the notes with these numbers; nil removes all. If one number is unknown, nothing is removed.
    ///
    /// - Throws: `.note` if a number is unknown.
    static func remove(_ db: Database, _ numbers: [Int64]?, at now: Date) throws -> [FaceNote] {
        let present = try present(db, at: now)
        let wanted = try (numbers ?? present.map(\.number)).map { number in
            guard let note = present.first(where: { $0.number == number }) else {
                throw PhoneError.note(.unknown(number: number))
            }
            return note
        }
        for note in wanted { try db.execute(cached: "DELETE FROM note WHERE number = ?", arguments: [note.number]) }
        return wanted
    }

    static func pushed(_ db: Database, _ number: Int64) throws {
        try db.execute(cached: "UPDATE note SET push = 'queued' WHERE number = ?", arguments: [number])
    }
}

extension FaceNote {
    fileprivate init(row: StoredRow) throws {
        let relevance: UInt32 = try row["relevance", 0...UInt32(UInt8.max)]
        self.init(
            number: try row["number"], text: try row["text"], from: try row["startsAt"], until: try row["endsAt"],
            relevance: UInt8(relevance), push: try row[case: "push"])
    }
}

extension ComplicationNote {
    init(_ note: FaceNote, _ dependencies: PhoneDependencies) {
        self.init(
            number: note.number, text: note.text, start: dependencies.localSeconds(note.from),
            end: note.until.map(dependencies.localSeconds), relevance: note.relevance)
    }
}
