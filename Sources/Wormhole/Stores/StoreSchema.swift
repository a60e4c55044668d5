import GRDB

package enum StoreSchema {
    /// The schema of a database that holds only a message store. Its application ID is "TapM" in ASCII.
    static var schema: DatabaseSchema {
        DatabaseSchema(application: 0x5461_704D, version: 5) { try create($0) }
    }

    /// Creates the tables of a message store. A program can call this to have them in its own database.
    package static func create(_ db: Database) throws {
        for definition in [
            streams, QueueTable.definition, values, InboxTable.definition, transfers,
            PassedValueTable.definition,
        ] {
            try db.execute(sql: definition)
        }
    }

    /// Defines the tables for this endpoint's identity and, for each peer, the epochs and message numbers of both sides.
    /// WatchLink's PROTOCOL.md explains these numbers.
    private static let streams = """
        CREATE TABLE endpoint (
            number INTEGER PRIMARY KEY CHECK (number = 1),
            identity INTEGER NOT NULL CHECK (identity <> 0)
        ) STRICT;
        CREATE TABLE peer (
            identity INTEGER PRIMARY KEY,
            epoch INTEGER NOT NULL CHECK (epoch BETWEEN 1 AND 4294967295),
            -- Whether a hello has told the peer the epoch.
            announced INTEGER NOT NULL DEFAULT 1 CHECK (announced IN (0, 1)),
            issued INTEGER NOT NULL DEFAULT 0 CHECK (issued BETWEEN 0 AND 4294967295),
            acknowledged INTEGER NOT NULL DEFAULT 0,
            latestAcknowledged INTEGER NOT NULL DEFAULT 0,
            peerEpoch INTEGER NOT NULL DEFAULT 0,
            queuedApplied INTEGER NOT NULL DEFAULT 0,
            latestApplied INTEGER NOT NULL DEFAULT 0,
            -- The floor of the peer's last hello, until the peer has answered ours.
            floor INTEGER NOT NULL DEFAULT 0,
            -- The epoch in which the message at that floor was issued; 0 if it is not known.
            floorOrigin INTEGER NOT NULL DEFAULT 0,
            CHECK (acknowledged <= issued)
        ) STRICT;
        -- The earlier runs of the peer, with the applied numbers of each.
        CREATE TABLE formerRun (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            peer INTEGER NOT NULL REFERENCES peer (identity) ON DELETE CASCADE,
            epoch INTEGER NOT NULL CHECK (epoch BETWEEN 1 AND 4294967295),
            queued INTEGER NOT NULL,
            latest INTEGER NOT NULL,
            UNIQUE (peer, epoch)
        ) STRICT;
        -- The earlier runs of this endpoint that the peer was told of, with the issued numbers of each.
        CREATE TABLE pastRun (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            peer INTEGER NOT NULL REFERENCES peer (identity) ON DELETE CASCADE,
            epoch INTEGER NOT NULL CHECK (epoch BETWEEN 1 AND 4294967295),
            queued INTEGER NOT NULL,
            latest INTEGER NOT NULL,
            UNIQUE (peer, epoch)
        ) STRICT;
        """

    private static let values = """
        -- The newest value of each name that this side has passed; a null payload is a cleared name.
        CREATE TABLE value (
            revision INTEGER PRIMARY KEY AUTOINCREMENT CHECK (revision BETWEEN 1 AND 4294967295),
            name TEXT NOT NULL,
            -- The only recipient; null for all peers.
            peer INTEGER,
            payload BLOB
        ) STRICT;
        CREATE INDEX valuesOfName ON value (name);
        -- The value of each name that either side has passed last.
        CREATE TABLE mailbox (name TEXT PRIMARY KEY, payload BLOB NOT NULL) STRICT, WITHOUT ROWID;
        """
}
