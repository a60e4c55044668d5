/// The tables of lists that are kept on calendar servers, too.
enum CalendarTable {
    static let definition = """
        CREATE TABLE calendarAccount (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            -- As the owner has given it.
            address TEXT NOT NULL UNIQUE,
            user TEXT,
            -- The path of a certificate that is trusted in the place of the system's.
            certificate TEXT,
            -- Where the collections are, or the only collection.
            place TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('home', 'collection'))
        ) STRICT;
        CREATE TABLE calendarList (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            account INTEGER NOT NULL REFERENCES calendarAccount (number) ON DELETE CASCADE,
            list INTEGER NOT NULL UNIQUE REFERENCES list (number) ON DELETE CASCADE,
            address TEXT NOT NULL,
            -- The changes of the server up to here are merged; null where everything has to be compared.
            token TEXT,
            -- Whether the server still has the collection.
            state TEXT NOT NULL CHECK (state IN ('attached', 'gone')),
            UNIQUE (account, address)
        ) STRICT;
        -- Each item of the server, as both sides last had it. What a row differs from that is still to be sent.
        CREATE TABLE calendarItem (
            calendar INTEGER NOT NULL REFERENCES calendarList (number) ON DELETE CASCADE,
            path TEXT NOT NULL,
            -- Null where the server is not known to have it.
            etag TEXT,
            -- Whether the list's token is of a time when the server had it.
            coverage TEXT NOT NULL DEFAULT 'later' CHECK (coverage IN ('token', 'later')),
            -- The last eight before it, each on a line.
            formerETags TEXT NOT NULL DEFAULT '',
            -- The row; null for an item that is left alone. The row may have been removed.
            item INTEGER,
            text TEXT NOT NULL,
            title TEXT NOT NULL,
            checkedAt INTEGER,
            -- What was sent last without an answer yet.
            sentText TEXT,
            sentTitle TEXT,
            sentCheckedAt INTEGER,
            -- 'older': the server has an older version, so that this one is to be sent again.
            state TEXT NOT NULL DEFAULT 'synced' CHECK (state IN ('synced', 'older', 'recurring', 'invalid', 'other')),
            PRIMARY KEY (calendar, path)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX calendarItemOfRow ON calendarItem (item) WHERE item IS NOT NULL;
        """

    /// The lists that are about to be put on a server, as new collections.
    static let publication = """
        CREATE TABLE calendarPublication (
            list INTEGER PRIMARY KEY REFERENCES list (number) ON DELETE CASCADE,
            account INTEGER NOT NULL REFERENCES calendarAccount (number) ON DELETE CASCADE,
            -- Of the collection. It was stored before the server was asked for it.
            address TEXT NOT NULL
        ) STRICT;
        """
}
