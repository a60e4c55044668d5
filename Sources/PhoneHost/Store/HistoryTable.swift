import GRDB

/// The table `history`: as it is since items that are added and renamed are written into it, and since changes of amounts and notes are.
enum HistoryTable {
    /// The form of the table that a migration makes.
    enum Form {
        /// With additions and renamings.
        case titles
        /// With amounts and notes, too.
        case details

        fileprivate var events: String {
            switch self {
            case .titles: "'added', 'renamed', 'checked', 'repeated', 'unchecked', 'removed', 'rejected'"
            case .details:
                "'added', 'renamed', 'described', 'checked', 'repeated', 'unchecked', 'removed', 'rejected'"
            }
        }

        /// The columns that it has beyond those of the form before, with a comma behind each.
        fileprivate var columns: String {
            switch self {
            case .titles: ""
            case .details:
                """
                -- Those of one that was described, and those before.
                amount TEXT CHECK (amount IS NULL OR event = 'described'),
                note TEXT CHECK (note IS NULL OR event = 'described'),
                formerAmount TEXT CHECK (formerAmount IS NULL OR event = 'described'),
                formerNote TEXT CHECK (formerNote IS NULL OR event = 'described'),
                """
            }
        }

        /// The columns of the form before that it takes over beside those that every form has, with a comma in front.
        fileprivate var kept: String {
            switch self {
            case .titles: ""
            case .details: ", formerTitle"
            }
        }
    }

    private static func definition(_ form: Form) -> String {
        """
        CREATE TABLE newHistory (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            event TEXT NOT NULL CHECK (event IN (\(form.events))),
            item INTEGER NOT NULL,
            title TEXT,
            -- The title before, of one that was renamed.
            formerTitle TEXT CHECK ((formerTitle IS NOT NULL) = (event = 'renamed')),
            \(form.columns)
            list INTEGER REFERENCES list (number),
            at INTEGER NOT NULL,
            origin TEXT NOT NULL CHECK (origin IN ('command', 'import', 'phone', 'watch')),
            watch INTEGER, epoch INTEGER, sequence INTEGER, tap INTEGER, localTime INTEGER,
            CHECK ((origin = 'watch') = (watch IS NOT NULL AND epoch IS NOT NULL AND sequence IS NOT NULL)),
            UNIQUE (watch, epoch, sequence)
        ) STRICT;
        """
    }

    /// An entry of a list that is not there, which only a damaged file has, is one of no list: it is read so in any case.
    private static func copy(_ form: Form) -> String {
        """
        INSERT INTO newHistory
            (number, event, item, title, list, at, origin, watch, epoch, sequence, tap, localTime\(form.kept))
            SELECT number, event, item, title, (SELECT list.number FROM list WHERE list.number = history.list), at,
                origin, watch, epoch, sequence, tap, localTime\(form.kept)
            FROM history ORDER BY number;
        -- Numbers are not used again, those of entries that are gone neither.
        DELETE FROM sqlite_sequence WHERE name = 'newHistory';
        UPDATE sqlite_sequence SET name = 'newHistory' WHERE name = 'history';
        """
    }

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
    static func makeAnew(_ db: Database, in form: Form) throws {
        try db.execute(sql: definition(form))
        // What another program has written there stays as it is, and is found when it is read.
        try db.execute(sql: "PRAGMA ignore_check_constraints = ON")
        defer { try? db.execute(sql: "PRAGMA ignore_check_constraints = OFF") }
        try db.execute(sql: copy(form))
        try db.execute(sql: exchange)
    }
}
