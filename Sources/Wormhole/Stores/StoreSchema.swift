import GRDB

/// The tables of a message store.
enum StoreSchema {
    /// The application ID is "TapM".
    static var schema: DatabaseSchema {
        DatabaseSchema(application: 0x5461_704D, version: 1) { db in
            try db.execute(sql: streams)
            try db.execute(sql: QueueTable.definition(peers: "peer"))
            try db.execute(sql: values)
            try db.execute(sql: InboxTable.definition)
            try db.execute(sql: TransferTable.definition)
            try db.execute(sql: PassedValueTable.definition)
        }
    }

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
