import GRDB
import GRDBSQLite

/// The mark that says which write-ahead log belongs to a database file.
///
/// SQLite plays a log onto whatever file has the database's name: the log of a killed host onto an older copy that was put in
/// the file's place mixes both. So the first transaction of each log gives the database a new random mark, and keeps the one
/// before. A log belongs to a file whose mark, read without the log, is one of these two: the file from before the log, or one
/// into which SQLite has copied a part of it.
///
/// The mark is SQLite's `user_version`. It is in the file's first page, which is therefore in each log.
struct LogMark: Equatable {
    /// The present mark; 0 in a database that has none.
    let mark: Int32
    /// The mark of the database before the log that gave it the present one; nil where it says nothing of that.
    let previous: Int32?

    /// Whether the log through which this was read belongs to the file whose own mark is `own`.
    func continues(_ own: Int32) -> Bool { own == mark || own == previous }

    /// A mark that is unlike that of any other log, but for one in 2³¹.
    static func new(_ random: UInt64) -> Int32 { Int32(truncatingIfNeeded: random >> 33) }
}

extension Database {
    /// Gives the database a new mark where the transaction, which is the one that writes at present, begins a new log.
    func markNewLog(_ random: () -> UInt64) throws {
        guard beginsNewLog else { return }
        try execute(cached: "UPDATE logMark SET previous = (SELECT user_version FROM pragma_user_version)")
        try execute(sql: "PRAGMA user_version = \(LogMark.new(random()))")
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
