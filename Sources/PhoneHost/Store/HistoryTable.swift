import GRDB

/// The table `history` as it is since items that are added and renamed are written into it.
enum HistoryTable {
    private static let definition = """
        CREATE TABLE newHistory (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            event TEXT NOT NULL CHECK (event IN (
                'added', 'renamed', 'checked', 'repeated', 'unchecked', 'removed', 'rejected')),
            item INTEGER NOT NULL,
            title TEXT,
            -- The title before, of one that was renamed.
            formerTitle TEXT CHECK ((formerTitle IS NOT NULL) = (event = 'renamed')),
            list INTEGER REFERENCES list (number),
            at INTEGER NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('command', 'import', 'phone', 'watch')),
            watch INTEGER, epoch INTEGER, sequence INTEGER, tap INTEGER, localTime INTEGER,
            CHECK ((origin = 'watch') = (watch IS NOT NULL AND epoch IS NOT NULL AND sequence IS NOT NULL)),
            UNIQUE (watch, epoch, sequence)
        ) STRICT;
        """

    /// An entry of a list that is not there, which only a damaged file has, is one of no list: it is read so in any case.
    private static let copy = """
        INSERT INTO newHistory (number, event, item, title, list, at, origin, watch, epoch, sequence, tap, localTime)
            SELECT number, event, item, title, (SELECT list.number FROM list WHERE list.number = history.list), at,
                origin, watch, epoch, sequence, tap, localTime
            FROM history ORDER BY number;
        -- Numbers are not used again, those of entries that are gone neither.
        DELETE FROM sqlite_sequence WHERE name = 'newHistory';
        UPDATE sqlite_sequence SET name = 'newHistory' WHERE name = 'history';
        """

    /// The name of the table in the sequence follows it.
    private static let exchange = """
        DROP TABLE history;
        ALTER TABLE newHistory RENAME TO history;
        CREATE INDEX historyOfItem ON history (item);
        CREATE INDEX historyOfList ON history (list, event, at);
        CREATE INDEX checkOffsOfList ON history (list, number) WHERE event = 'checked';
        CREATE INDEX historyWithoutEffect ON history (watch, number) WHERE event IN ('repeated', 'rejected');
        """

    /// Makes the table anew with all that is in it: SQLite changes no CHECK of a table that is there.
    static func makeAnew(_ db: Database) throws {
        try db.execute(sql: definition)
        // What another program has written there stays as it is, and is found when it is read.
        try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
        defer { try? db.execute(sql: "PRAGMA ignore_check_constraints = OFF") }
        try db.execute(sql: copy)
        try db.execute(sql: exchange)
    }
}
