/// The tables of stores, and of what was learned of their orders.
enum OrderTables {
    static let definition = """
        CREATE TABLE store (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            name TEXT NOT NULL UNIQUE CHECK (name <> ''),
            -- Whose check-offs teach: null for everybody's, else 'phone', or the identity of one watch.
            teacher TEXT CHECK (teacher <> '')
        ) STRICT;
        -- The store that a list's check-offs are of, from an entry of the history on.
        CREATE TABLE storeOfList (
            list INTEGER NOT NULL REFERENCES list (number) ON DELETE CASCADE,
            since INTEGER NOT NULL,
            store INTEGER NOT NULL REFERENCES store (number) ON DELETE CASCADE,
            PRIMARY KEY (list, since)
        ) STRICT, WITHOUT ROWID;
        -- A cache: the history says the same. A list that was assigned to no store has one of its own, whose number here is the
        -- list's negated.
        CREATE TABLE learnedOrder (
            number INTEGER PRIMARY KEY,
            -- The entry of the history up to which it was learned.
            latest INTEGER NOT NULL,
            memory BLOB NOT NULL
        ) STRICT;
        """
}
