import GRDB
import Wormhole

/// The tables of the phone's database, with one migration for each released change.
enum PhoneSchema {
    /// SQLite's `application_id` of our databases: "Tapl".
    static let applicationID: Int32 = 0x5461_706C

    /// The name of the first list of a new database.
    static let firstListName = "Shopping"

    /// - Parameter mark: marks the transaction of a migration, as that of any other change: see `LogMark`.
    static func migrator(
        _ dependencies: PhoneDependencies, mark: @escaping @Sendable (Database) throws -> Void
    ) -> DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 lists, history and watches") { db in
            try db.execute(sql: lists)
            try db.execute(sql: history)
            try db.execute(sql: watches)
            try begin(db, dependencies)
        }
        // None of these breaks a reference: a file in which one was broken before opens too.
        migrator.registerMigration("2 epochs of runs, bonds and bounds", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: runs)
        }
        migrator.registerMigration("3 origins of floors", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: floors)
        }
        migrator.registerMigration("4 forgotten watches and marks of logs", foreignKeyChecks: .immediate) { db in
            try db.execute(sql: forgotten)
            try db.execute(sql: logMark)
            // What is in a log from before has no mark.
            try db.execute(sql: "PRAGMA user_version = \(LogMark.new(dependencies.logMark()))")
        }
        func register(_ name: String, _ definitions: String...) {
            migrator.registerMigration(name, foreignKeyChecks: .immediate) { db in
                try mark(db)
                for definition in definitions { try db.execute(sql: definition) }
            }
        }
        register("5 messages of other programs", QueueTable.definition(peers: "watch"))
        register("6 messages for other programs", InboxTable.definition)
        register("7 files of other programs", TransferTable.definition(peers: "watch"))
        register("8 values that watches have passed", PassedValueTable.definition, passedValues)
        register("9 owners of files", TransferTable.owner)
        register("10 values of watches in the place of ours", replacedValues)
        migrator.registerMigration("11 additions and renamings in the history", foreignKeyChecks: .immediate) { db in
            try mark(db)
            try HistoryTable.makeAnew(db, in: .titles)
        }
        register("12 notes for the face", NoteTable.definition)
        register("13 stores and their orders", OrderTables.definition)
        register("14 past items", PastItemTable.definition)
        register("15 lists on calendar servers", CalendarTable.definition)
        register("16 amounts and notes of items", details)
        register("18 lists that are put on calendar servers", CalendarTable.publication)
        migrator.registerMigration("19 amounts and notes on calendar servers", foreignKeyChecks: .immediate) { db in
            try mark(db)
            try db.execute(sql: CalendarTable.details)
            try CalendarTable.fillDetails(db)
        }
        migrator.registerMigration("20 amounts and notes in the history", foreignKeyChecks: .immediate) { db in
            try mark(db)
            try HistoryTable.makeAnew(db, in: .details)
        }
        return migrator
    }

    /// Inserts the rows that every database has: the host and a first list.
    private static func begin(_ db: Database, _ dependencies: PhoneDependencies) throws {
        var generator = dependencies.generator
        try db.execute(
            sql: "INSERT INTO list (name, changedAt) VALUES (?, ?)",
            arguments: [firstListName, dependencies.now().storedMilliseconds])
        try db.execute(
            sql: "INSERT INTO host (number, identity, activeList) VALUES (1, ?, ?)",
            arguments: [
                Int64(bitPattern: UInt64.random(in: 1 ... .max, using: &generator)), db.lastInsertedRowID,
            ])
    }

    private static let details = """
        ALTER TABLE item ADD COLUMN amount TEXT CHECK (amount <> '');
        ALTER TABLE item ADD COLUMN note TEXT CHECK (note <> '');
        """

    private static let lists = """
        CREATE TABLE list (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE CHECK (name <> ''),
            changedAt INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE host (
            number INTEGER PRIMARY KEY CHECK (number = 1),
            identity INTEGER NOT NULL,
            activeList INTEGER NOT NULL REFERENCES list (number),
            latestRevision INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        CREATE TABLE item (
            id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
            list INTEGER NOT NULL REFERENCES list (number) ON DELETE CASCADE,
            rank INTEGER NOT NULL CHECK (rank BETWEEN 0 AND 4294967295),
            title TEXT NOT NULL CHECK (title <> ''),
            addedAt INTEGER NOT NULL,
            checkedAt INTEGER
        ) STRICT;
        CREATE INDEX itemsInOrder ON item (list, rank, id);
        CREATE INDEX openItemsInOrder ON item (list, rank, id) WHERE checkedAt IS NULL;
        """

    private static let history = """
        CREATE TABLE history (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            event TEXT NOT NULL CHECK (event IN ('checked', 'repeated', 'unchecked', 'removed', 'rejected')),
            item INTEGER NOT NULL,
            title TEXT,
            list INTEGER REFERENCES list (number),
            at INTEGER NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('command', 'phone', 'watch')),
            watch INTEGER, epoch INTEGER, sequence INTEGER, tap INTEGER, localTime INTEGER,
            CHECK ((origin = 'watch') = (watch IS NOT NULL AND epoch IS NOT NULL AND sequence IS NOT NULL)),
            UNIQUE (watch, epoch, sequence)
        ) STRICT;
        CREATE INDEX historyOfItem ON history (item);
        CREATE INDEX historyOfList ON history (list, event, at);
        """

    /// The streams to and from each watch, by the rules of WatchLink's PROTOCOL.md, and the rows that each watch has.
    private static let watches = """
        CREATE TABLE watch (
            identity INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            firstMetAt INTEGER NOT NULL,
            lastMetAt INTEGER NOT NULL,
            largestBody INTEGER NOT NULL,
            epoch INTEGER NOT NULL CHECK (epoch BETWEEN 1 AND 4294967295),
            queuedIssued INTEGER NOT NULL DEFAULT 0,
            queuedAcknowledged INTEGER NOT NULL DEFAULT 0,
            latestAcknowledged INTEGER NOT NULL DEFAULT 0,
            peerEpoch INTEGER NOT NULL DEFAULT 0,
            queuedApplied INTEGER NOT NULL DEFAULT 0,
            latestApplied INTEGER NOT NULL DEFAULT 0,
            given TEXT NOT NULL DEFAULT 'nothing' CHECK (given IN ('nothing', 'rows')),
            more INTEGER NOT NULL DEFAULT 0,
            CHECK (queuedAcknowledged <= queuedIssued)
        ) STRICT;
        CREATE TABLE projection (
            watch INTEGER NOT NULL REFERENCES watch (identity) ON DELETE CASCADE,
            item INTEGER NOT NULL,
            rank INTEGER NOT NULL,
            title TEXT NOT NULL,
            cut INTEGER NOT NULL,
            PRIMARY KEY (watch, item)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE outgoing (
            watch INTEGER NOT NULL REFERENCES watch (identity) ON DELETE CASCADE,
            sequence INTEGER NOT NULL CHECK (sequence BETWEEN 1 AND 4294967295),
            name TEXT NOT NULL,
            payload BLOB NOT NULL,
            PRIMARY KEY (watch, sequence)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE latest (
            name TEXT NOT NULL,
            watch INTEGER NOT NULL DEFAULT 0,
            revision INTEGER NOT NULL UNIQUE CHECK (revision BETWEEN 1 AND 4294967295),
            payload BLOB,
            PRIMARY KEY (name, watch)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE mailbox (name TEXT PRIMARY KEY, payload BLOB NOT NULL) STRICT, WITHOUT ROWID;
        """

    /// The epochs of earlier runs of either side, the bond of each watch, and what bounds the cost of one.
    private static let runs = """
        -- The address of the bond that the watch has come over; null for local sockets.
        ALTER TABLE watch ADD COLUMN bond TEXT;
        -- Whether a hello has told the watch the epoch.
        ALTER TABLE watch ADD COLUMN announced INTEGER NOT NULL DEFAULT 1 CHECK (announced IN (0, 1));
        -- The sequence of the last message of the newest answer to a reload; 0 for none.
        ALTER TABLE watch ADD COLUMN reloadAnswer INTEGER NOT NULL DEFAULT 0;
        -- The reload that is answered next; null for none.
        ALTER TABLE watch ADD COLUMN reloadToken INTEGER;
        ALTER TABLE watch ADD COLUMN reloadExtent INTEGER;
        -- The floor of the watch's last hello, until the watch has answered ours.
        ALTER TABLE watch ADD COLUMN floor INTEGER NOT NULL DEFAULT 0;
        -- How often the watch had other rows than expected, and when last.
        ALTER TABLE watch ADD COLUMN repairs INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE watch ADD COLUMN repairedAt INTEGER;
        CREATE UNIQUE INDEX watchOfBond ON watch (bond) WHERE bond IS NOT NULL;
        -- Whether the watch may have taken the row off itself.
        ALTER TABLE projection ADD COLUMN stale INTEGER NOT NULL DEFAULT 0;
        -- The watch's epochs but the present one, with what was applied of each.
        CREATE TABLE formerEpoch (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            watch INTEGER NOT NULL REFERENCES watch (identity) ON DELETE CASCADE,
            epoch INTEGER NOT NULL CHECK (epoch BETWEEN 1 AND 4294967295),
            queuedApplied INTEGER NOT NULL,
            latestApplied INTEGER NOT NULL,
            UNIQUE (watch, epoch)
        ) STRICT;
        -- The epochs of our streams to the watch but the present one, with what was issued in each.
        CREATE TABLE pastEpoch (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            watch INTEGER NOT NULL REFERENCES watch (identity) ON DELETE CASCADE,
            epoch INTEGER NOT NULL CHECK (epoch BETWEEN 1 AND 4294967295),
            queuedIssued INTEGER NOT NULL,
            latestIssued INTEGER NOT NULL,
            UNIQUE (watch, epoch)
        ) STRICT;
        -- What was applied of a watch that was forgotten.
        CREATE TABLE forgotten (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            watch INTEGER NOT NULL UNIQUE,
            queuedApplied INTEGER NOT NULL
        ) STRICT;
        CREATE TRIGGER watchForgotten BEFORE DELETE ON watch BEGIN
            INSERT OR REPLACE INTO forgotten (watch, queuedApplied) VALUES (old.identity, max(
                old.queuedApplied,
                coalesce((SELECT max(queuedApplied) FROM formerEpoch WHERE watch = old.identity), 0)));
            DELETE FROM latest WHERE watch = old.identity;
        END;
        CREATE INDEX checkOffsOfList ON history (list, number) WHERE event = 'checked';
        CREATE INDEX historyWithoutEffect ON history (watch, number) WHERE event IN ('repeated', 'rejected');
        """

    /// What a watch says of its messages that are acknowledged.
    private static let floors = """
        -- The epoch in which the message at the floor of the watch's last hello was issued; 0 where it is not known.
        ALTER TABLE watch ADD COLUMN floorOrigin INTEGER NOT NULL DEFAULT 0;
        """

    /// What is left of a watch that was forgotten.
    private static let forgotten = """
        -- The two newest of our epochs that were announced to the watch, in either order: it knows one of them, and where
        -- the hello with the newer was lost, the older. 0 where it is not known.
        ALTER TABLE forgotten ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE forgotten ADD COLUMN epochBefore INTEGER NOT NULL DEFAULT 0;
        -- The watch's run of its last link, and the one that issued the last message that was acknowledged; 0 where it is
        -- not known.
        ALTER TABLE forgotten ADD COLUMN run INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE forgotten ADD COLUMN floorOrigin INTEGER NOT NULL DEFAULT 0;
        -- What was applied of each run of a watch, oldest run first; those before it was forgotten are one.
        CREATE VIEW appliedRun (watch, number, queuedApplied) AS
            SELECT watch, 0, queuedApplied FROM forgotten
            UNION ALL SELECT watch, number, queuedApplied FROM formerEpoch
            UNION ALL SELECT identity, 9223372036854775807, queuedApplied FROM watch;
        DROP TRIGGER watchForgotten;
        -- A watch with low numbers after high ones has begun again: the high ones do not count any more.
        CREATE TRIGGER watchForgotten BEFORE DELETE ON watch BEGIN
            INSERT OR REPLACE INTO forgotten (watch, run, floorOrigin, queuedApplied, epoch, epochBefore) VALUES (
                old.identity, old.peerEpoch, old.floorOrigin,
                coalesce((
                    SELECT max(queuedApplied) FROM appliedRun WHERE watch = old.identity AND number > coalesce((
                        SELECT max(number) FROM appliedRun WHERE watch = old.identity AND queuedApplied >= 2147483648
                        AND max(old.queuedApplied, old.floor) < 2147483648), -1)), 0),
                CASE old.announced WHEN 1 THEN old.epoch ELSE coalesce((
                    SELECT epoch FROM pastEpoch WHERE watch = old.identity ORDER BY number DESC LIMIT 1 OFFSET 1), 0) END,
                coalesce((SELECT epoch FROM pastEpoch WHERE watch = old.identity ORDER BY number DESC LIMIT 1), 0));
            DELETE FROM latest WHERE watch = old.identity;
        END;
        """

    /// A watch that is forgotten leaves nothing of what it has passed but the values that can be read by name.
    private static let passedValues = """
        CREATE TRIGGER passedValueForgotten AFTER DELETE ON watch BEGIN
            DELETE FROM passedValue WHERE peer = old.identity;
        END;
        """

    /// An earlier version kept its own value under a name after a watch had passed a newer one, and sent it to further watches. The
    /// names are those of the feed, whose values are the host's own.
    private static let replacedValues = """
        DELETE FROM latest WHERE name NOT IN ('title', 'complication') AND name IN (
            SELECT newest.name FROM latest AS newest LEFT JOIN mailbox ON mailbox.name = newest.name
            WHERE newest.revision = (SELECT max(other.revision) FROM latest AS other WHERE other.name = newest.name)
                AND newest.payload IS NOT mailbox.payload);
        """

    /// What ties the write-ahead log to the file, beside `user_version`: see `LogMark`. A later migration has to begin with
    /// `markTransaction`.
    private static let logMark = """
        CREATE TABLE logMark (number INTEGER PRIMARY KEY CHECK (number = 1), previous INTEGER NOT NULL) STRICT;
        INSERT INTO logMark VALUES (1, 0);
        """
}
