import GRDB
import Wormhole

/// Defines the tables of the phone's database: those of the message store, and the phone's own.
enum PhoneSchema {
    static let firstListName = "Shopping"

    /// The schema with all tables. Its application ID, "Tapl" in ASCII, marks a file as Tapline's.
    static func schema(_ dependencies: PhoneDependencies) -> DatabaseSchema {
        DatabaseSchema(application: 0x5461_706C, version: 6) { db in
            try StoreSchema.create(db)
            let definitions = [
                lists, history, watches, forgotten, NoteTable.definition, shops, PastItemTable.definition, calendars,
            ]
            for definition in definitions { try db.execute(sql: definition) }
            try begin(db, dependencies)
        }
    }

    private static func begin(_ db: Database, _ dependencies: PhoneDependencies) throws {
        var generator = dependencies.generator
        try db.execute(
            sql: "INSERT INTO endpoint (number, identity) VALUES (1, ?)",
            arguments: [Int64(bitPattern: UInt64.random(in: 1 ... .max, using: &generator))])
        try db.execute(
            sql: "INSERT INTO list (name, changedAt) VALUES (?, ?)",
            arguments: [firstListName, dependencies.now().storedMilliseconds])
        try db.execute(
            sql: "INSERT INTO host (number, activeList) VALUES (1, ?)", arguments: [db.lastInsertedRowID])
    }

    private static let lists = """
        CREATE TABLE list (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE CHECK (name <> ''),
            changedAt INTEGER NOT NULL,
            -- 'arranged': check-offs do not sort it.
            ordering TEXT NOT NULL DEFAULT 'learned' CHECK (ordering IN ('learned', 'arranged'))
        ) STRICT;
        CREATE TABLE host (
            number INTEGER PRIMARY KEY CHECK (number = 1),
            activeList INTEGER NOT NULL REFERENCES list (number),
            -- When the complication's time line was extended last.
            lineExtendedAt INTEGER,
            -- When the offered past items were last computed, and for which list.
            offeredAt INTEGER,
            offeredList INTEGER
        ) STRICT;
        CREATE TABLE item (
            id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 4294967295),
            list INTEGER NOT NULL REFERENCES list (number) ON DELETE CASCADE,
            rank INTEGER NOT NULL CHECK (rank BETWEEN 0 AND 4294967295),
            title TEXT NOT NULL CHECK (title <> ''),
            addedAt INTEGER NOT NULL,
            checkedAt INTEGER,
            amount TEXT CHECK (amount <> ''),
            note TEXT CHECK (note <> '')
        ) STRICT;
        CREATE INDEX itemsInOrder ON item (list, rank, id);
        CREATE INDEX openItemsInOrder ON item (list, rank, id) WHERE checkedAt IS NULL;
        """

    private static let history = """
        CREATE TABLE history (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            event TEXT NOT NULL CHECK (event IN (
                'added', 'renamed', 'described', 'checked', 'repeated', 'unchecked', 'removed', 'rejected')),
            item INTEGER NOT NULL,
            title TEXT,
            -- The earlier title of a renamed item.
            formerTitle TEXT CHECK ((formerTitle IS NOT NULL) = (event = 'renamed')),
            -- Of an item that was described: its new and its earlier amount and note.
            amount TEXT CHECK (amount IS NULL OR event = 'described'),
            note TEXT CHECK (note IS NULL OR event = 'described'),
            formerAmount TEXT CHECK (formerAmount IS NULL OR event = 'described'),
            formerNote TEXT CHECK (formerNote IS NULL OR event = 'described'),
            list INTEGER REFERENCES list (number),
            at INTEGER NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('command', 'import', 'phone', 'watch')),
            watch INTEGER, epoch INTEGER, sequence INTEGER, tap INTEGER, localTime INTEGER,
            CHECK ((origin = 'watch') = (watch IS NOT NULL AND epoch IS NOT NULL AND sequence IS NOT NULL)),
            UNIQUE (watch, epoch, sequence)
        ) STRICT;
        CREATE INDEX historyOfItem ON history (item);
        CREATE INDEX historyOfList ON history (list, event, at);
        CREATE INDEX checkOffsOfList ON history (list, number) WHERE event = 'checked';
        CREATE INDEX historyWithoutEffect ON history (watch, number) WHERE event IN ('repeated', 'rejected');
        """

    private static let watches = """
        CREATE TABLE watch (
            identity INTEGER PRIMARY KEY REFERENCES peer (identity) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED,
            name TEXT NOT NULL,
            firstMetAt INTEGER NOT NULL,
            lastMetAt INTEGER NOT NULL,
            largestBody INTEGER NOT NULL,
            -- The rows that the watch has once it has applied its queue, as `FeedProjection.bytes`; null if that is not known.
            rows BLOB,
            -- The address of the watch's bond; null for local sockets.
            bond TEXT,
            -- The sequence of the last message of the newest answer to a reload; 0 for none.
            reloadAnswer INTEGER NOT NULL DEFAULT 0,
            -- The reload that is answered next; null for none.
            reloadToken INTEGER,
            reloadExtent INTEGER,
            -- How often the watch had other rows than expected, and when last.
            repairs INTEGER NOT NULL DEFAULT 0,
            repairedAt INTEGER
        ) STRICT;
        CREATE UNIQUE INDEX watchOfBond ON watch (bond) WHERE bond IS NOT NULL;
        """

    private static let forgotten = """
        -- What the database still knows about a forgotten watch.
        CREATE TABLE forgotten (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            watch INTEGER NOT NULL UNIQUE,
            queuedApplied INTEGER NOT NULL,
            -- The two newest epochs that the phone announced to the watch, in either order. The watch knows the older one if the
            -- hello with the newer one was lost. 0 if unknown.
            epoch INTEGER NOT NULL DEFAULT 0,
            epochBefore INTEGER NOT NULL DEFAULT 0,
            -- The watch's run of its last link, and the run that issued its last acknowledged message; 0 if unknown.
            run INTEGER NOT NULL DEFAULT 0,
            floorOrigin INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        -- The applied messages of each run of a watch, oldest first. The runs before it was forgotten count as one.
        CREATE VIEW appliedRun (watch, number, queuedApplied) AS
            SELECT watch, 0, queuedApplied FROM forgotten
            UNION ALL SELECT peer, number, queued FROM formerRun
            UNION ALL SELECT identity, 9223372036854775807, queuedApplied FROM peer;
        -- A watch with low numbers after high ones has started again, so the high ones no longer count.
        CREATE TRIGGER watchForgotten BEFORE DELETE ON peer BEGIN
            INSERT OR REPLACE INTO forgotten (watch, run, floorOrigin, queuedApplied, epoch, epochBefore) VALUES (
                old.identity, old.peerEpoch, old.floorOrigin,
                coalesce((
                    SELECT max(queuedApplied) FROM appliedRun WHERE watch = old.identity AND number > coalesce((
                        SELECT max(number) FROM appliedRun WHERE watch = old.identity AND queuedApplied >= 2147483648
                        AND max(old.queuedApplied, old.floor) < 2147483648), -1)), 0),
                CASE old.announced WHEN 1 THEN old.epoch ELSE coalesce((
                    SELECT epoch FROM pastRun WHERE peer = old.identity ORDER BY number DESC LIMIT 1 OFFSET 1), 0) END,
                coalesce((SELECT epoch FROM pastRun WHERE peer = old.identity ORDER BY number DESC LIMIT 1), 0));
        END;
        """

    private static let shops = """
        CREATE TABLE shop (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE CHECK (name <> '')
        ) STRICT;
        -- The shop that a list's check-offs belong to, from an entry of the history on.
        CREATE TABLE shopOfList (
            list INTEGER NOT NULL REFERENCES list (number) ON DELETE CASCADE,
            since INTEGER NOT NULL,
            shop INTEGER NOT NULL REFERENCES shop (number) ON DELETE CASCADE,
            PRIMARY KEY (list, since)
        ) STRICT, WITHOUT ROWID;
        -- A cache of what the history teaches. A list without a named shop has its own, and its number here is the negated number
        -- of the list.
        CREATE TABLE learnedOrder (
            number INTEGER PRIMARY KEY,
            -- The history entry up to which the order was learned.
            latest INTEGER NOT NULL,
            memory BLOB NOT NULL
        ) STRICT;
        """

    private static let calendars = """
        CREATE TABLE calendarAccount (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            -- As the owner gave it.
            address TEXT NOT NULL UNIQUE,
            user TEXT,
            -- The path of a certificate that replaces the system's trusted certificates.
            certificate TEXT,
            -- The address of the home with the collections, or of the only collection.
            place TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('home', 'collection'))
        ) STRICT;
        CREATE TABLE calendarList (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            account INTEGER NOT NULL REFERENCES calendarAccount (number) ON DELETE CASCADE,
            list INTEGER NOT NULL UNIQUE REFERENCES list (number) ON DELETE CASCADE,
            address TEXT NOT NULL,
            -- The server's changes up to this token are merged; null if everything must be compared.
            token TEXT,
            -- Whether the server still has the collection.
            state TEXT NOT NULL CHECK (state IN ('attached', 'gone')),
            UNIQUE (account, address)
        ) STRICT;
        -- Each of the server's items in the last common version. A row that differs from it is sent.
        CREATE TABLE calendarItem (
            calendar INTEGER NOT NULL REFERENCES calendarList (number) ON DELETE CASCADE,
            path TEXT NOT NULL,
            -- Null if it is unknown whether the server has the item.
            etag TEXT,
            -- Whether the server had the item when it gave the list's token.
            coverage TEXT NOT NULL DEFAULT 'later' CHECK (coverage IN ('token', 'later')),
            -- The last eight ETags before it, one on each line.
            formerETags TEXT NOT NULL DEFAULT '',
            -- The row, which may be removed; null for an item that the phone does not touch.
            item INTEGER,
            text TEXT NOT NULL,
            title TEXT NOT NULL,
            checkedAt INTEGER,
            amount TEXT,
            note TEXT,
            -- The version that was sent last and not answered yet.
            sentText TEXT,
            sentTitle TEXT,
            sentCheckedAt INTEGER,
            sentAmount TEXT,
            sentNote TEXT,
            -- 'older': the server has restored an older version, so this one is sent again.
            state TEXT NOT NULL DEFAULT 'synced' CHECK (
                state IN ('synced', 'older', 'recurring', 'invalid', 'large', 'other')),
            PRIMARY KEY (calendar, path)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX calendarItemOfRow ON calendarItem (item) WHERE item IS NOT NULL;
        -- The items that the server refused in the last sync of each list, with the reasons.
        CREATE TABLE calendarRefusal (
            calendar INTEGER NOT NULL REFERENCES calendarList (number) ON DELETE CASCADE,
            path TEXT NOT NULL,
            title TEXT NOT NULL,
            reason TEXT NOT NULL,
            PRIMARY KEY (calendar, path)
        ) STRICT, WITHOUT ROWID;
        -- The lists that are being published as new collections.
        CREATE TABLE calendarPublication (
            list INTEGER PRIMARY KEY REFERENCES list (number) ON DELETE CASCADE,
            account INTEGER NOT NULL REFERENCES calendarAccount (number) ON DELETE CASCADE,
            -- The address of the collection, stored before the first request.
            address TEXT NOT NULL
        ) STRICT;
        """
}
