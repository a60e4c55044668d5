import GRDB

/// The tables of a message store, with one migration for each released change.
enum StoreSchema {
    /// - Parameters:
    ///   - random: sixty-four random bits, for the mark of a log.
    ///   - mark: marks the transaction of a migration, as that of any other change: see `LogMark`.
    static func migrator(
        _ random: @escaping @Sendable () -> UInt64, mark: @escaping @Sendable (Database) throws -> Void
    ) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 streams, messages and values") { db in
            try db.execute(sql: "PRAGMA application_id = \(StoreFile.applicationID)")
            try db.execute(sql: streams)
            try db.execute(sql: QueueTable.definition(peers: "peer"))
            try db.execute(sql: values)
            try db.execute(sql: InboxTable.definition)
            try db.execute(sql: TransferTable.definition)
        }
        migrator.registerMigration("2 marks of logs", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: logMark)
            // What is in a log from before has no mark.
            try db.execute(sql: "PRAGMA user_version = \(LogMark.new(random()))")
        }
        migrator.registerMigration("3 values that peers have passed", foreignKeyChecks: .immediate) { db in
            try mark(db)
            try db.execute(sql: PassedValueTable.definition)
        }
        migrator.registerMigration("4 owners of files", foreignKeyChecks: .immediate) { db in
            try mark(db)
            try db.execute(sql: TransferTable.owner)
        }
        return migrator
    }

    /// What ties the write-ahead log to the file, beside `user_version`: see `LogMark`. A later migration has to begin with
    /// `markTransaction`.
    private static let logMark = """
        CREATE TABLE logMark (number INTEGER PRIMARY KEY CHECK (number = 1), previous INTEGER NOT NULL) STRICT;
        INSERT INTO logMark VALUES (1, 0);
        """

    /// The streams between this endpoint and each peer, by the rules of WatchLink's PROTOCOL.md.
    private static let streams = """
        CREATE TABLE endpoint (
            number INTEGER PRIMARY KEY CHECK (number = 1),
            identity INTEGER NOT NULL CHECK (identity <> 0)
        ) STRICT;
        CREATE TABLE peer (
            identity INTEGER PRIMARY KEY,
            epoch INTEGER NOT NULL CHECK (epoch BETWEEN 1 AND 4294967295),
            issued INTEGER NOT NULL DEFAULT 0 CHECK (issued BETWEEN 0 AND 4294967295),
            acknowledged INTEGER NOT NULL DEFAULT 0,
            latestAcknowledged INTEGER NOT NULL DEFAULT 0,
            peerEpoch INTEGER NOT NULL DEFAULT 0,
            queuedApplied INTEGER NOT NULL DEFAULT 0,
            latestApplied INTEGER NOT NULL DEFAULT 0,
            CHECK (acknowledged <= issued)
        ) STRICT;
        -- The earlier runs of both sides, as JSON of `PeerRuns`: one value that changes with a connection, not with a message.
        CREATE TABLE runs (peer INTEGER PRIMARY KEY, runs TEXT NOT NULL) STRICT;
        """

    private static let values = """
        -- The newest value under each name that this side has passed; a null payload is a cleared name.
        CREATE TABLE value (
            revision INTEGER PRIMARY KEY AUTOINCREMENT CHECK (revision BETWEEN 1 AND 4294967295),
            name TEXT NOT NULL,
            -- The one peer that it is for; null for everyone.
            peer INTEGER,
            payload BLOB
        ) STRICT;
        CREATE INDEX valuesOfName ON value (name);
        -- The value that either side has passed last under each name.
        CREATE TABLE mailbox (name TEXT PRIMARY KEY, payload BLOB NOT NULL) STRICT, WITHOUT ROWID;
        """
}
