import Foundation
import GRDB
import WatchLink
import Wormhole

/// Stores the notes that the owner writes for the watch's face. Each call is part of a transaction.
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

    /// The most notes that the database stores. Adding a note deletes those that have ended.
    static let most = 64

    /// An SQL condition that is true if a note has ended at the time in its argument. The face shows whole minutes, so a note
    /// lasts at least to the end of its first minute.
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
