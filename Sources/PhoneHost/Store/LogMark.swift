import GRDB
import GRDBSQLite

/// The mark that says which write-ahead log belongs to a database file.
///
/// SQLite plays a log onto whatever file has the database's name: the log of a killed host onto an older copy that was put in
/// the file's place mixes both. So each transaction marks the database: with a number of the log, which is drawn at random by the
/// first one in it, and a count. A table has the last mark before the log. A log belongs to the file with that mark, read without
/// the log, or with one of its own: SQLite has copied a part of it.
///
/// The mark is SQLite's `user_version`. It is in the file's first page, which is therefore in each transaction.
struct LogMark: Equatable {
    /// The present mark; 0 in a database that has none.
    let mark: Int32
    /// The mark of the database before the log that gave it the present one; nil where it says nothing of that.
    let previous: Int32?

    /// The lower bits of a mark count transactions. More than these are not told apart: SQLite copies a log of 1,000 pages.
    private static let countBits: Int32 = 9

    /// Whether the log through which this was read belongs to the file whose own mark is `own`.
    func continues(_ own: Int32) -> Bool { own == previous || LogMark.log(own) == LogMark.log(mark) }

    /// The mark of the first transaction in a log: one of 2²² numbers, and none of them 0.
    static func new(_ random: UInt64) -> Int32 {
        (Int32(truncatingIfNeeded: random >> 42) << countBits) & .max | 1
    }

    /// The mark of the transaction after this one in the same log.
    static func next(_ mark: Int32) -> Int32 { log(mark &+ 1) == log(mark) ? mark &+ 1 : mark }

    private static func log(_ mark: Int32) -> Int32 { mark >> countBits }
}

extension LogMark {
    /// The mark of a database through its log; nil where it cannot be read.
    init?(_ db: Database) {
        guard let mark = try? Int32.fetchOne(db, cached: "PRAGMA user_version") else { return nil }
        self.mark = mark
        previous = try? Int32.fetchOne(db, cached: "SELECT previous FROM logMark")
    }
}

extension Database {
    /// Marks the transaction, which is the one that writes at present.
    func markTransaction(_ random: () -> UInt64) throws {
        let mark = try Int32.fetchOne(self, cached: "PRAGMA user_version") ?? 0
        guard beginsNewLog else { return try put(LogMark.next(mark)) }
        try execute(cached: "INSERT OR REPLACE INTO logMark VALUES (1, ?)", arguments: [mark])
        try put(LogMark.new(random()))
    }

    private func put(_ mark: Int32) throws {
        // No statement that is prepared once takes another number: GRDB's observers would look at each new one.
        let code = sqlite3_exec(sqliteConnection, "PRAGMA user_version = \(mark)", nil, nil, nil)
        guard code == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: code)) }
    }

    /// Whether SQLite may begin the log anew with the next page that it writes: everything in it has been copied into the file.
    private var beginsNewLog: Bool {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var region: UnsafeMutableRawPointer?
        guard sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
            let result = file?.pointee.pMethods?.pointee.xShmMap?(file, 0, LogIndex.regionSize, 0, &region),
            result == SQLITE_OK, let region
        else { return false }
        return LogIndex.isCopied(UnsafeRawPointer(region))
    }
}

/// The index of the log that the programs with the database open share, as "WAL-mode File Format" of SQLite's documentation has it
/// (section 2.1).
private enum LogIndex {
    static let regionSize: Int32 = 32_768
    /// The offsets of the number of pages in the log, and of those copied into the file.
    private static let written = 16
    private static let copied = 96

    static func isCopied(_ index: UnsafeRawPointer) -> Bool {
        index.loadUnaligned(fromByteOffset: written, as: UInt32.self)
            == index.loadUnaligned(fromByteOffset: copied, as: UInt32.self)
    }
}
