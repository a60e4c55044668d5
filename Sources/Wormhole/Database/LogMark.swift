import GRDB
import GRDBSQLite

/// The mark that says which write-ahead log belongs to a database file.
///
/// SQLite plays a log onto whatever file has the database's name: the log of a killed host onto an older copy that was put in
/// the file's place mixes both. So each transaction marks the database: with a number of the log, which is drawn at random by the
/// first one in it, and a count. A table has the last mark before the log. A log belongs to the file with that mark, read without
/// the log, or with one of its own: SQLite has copied a part of it.
///
/// Other programs mark nothing. Where one of them has begun the log, the file has the present mark and the log does not begin with
/// the first mark of that number: our first transaction in that log draws another number.
///
/// The mark is SQLite's `user_version`. It is in the file's first page, which is therefore in each transaction.
package struct LogMark: Equatable {
    /// The present mark; 0 in a database that has none.
    let mark: Int32
    /// The mark of the database before the log that gave it the present one; nil where it says nothing of that.
    let previous: Int32?

    /// The lower bits of a mark count transactions. More than these are not told apart: SQLite copies a log of 1,000 pages.
    private static let countBits: Int32 = 9

    /// Whether the log through which this was read belongs to the file whose own mark is `own`.
    func continues(_ own: Int32) -> Bool { own == previous || LogMark.log(own) == LogMark.log(mark) }

    /// Whether a file that had a mark of this log has one now that comes before it.
    func hasGoneBack(from last: Int32, to own: Int32) -> Bool {
        guard LogMark.log(last) == LogMark.log(mark) else { return false }
        return own == previous || LogMark.log(own) == LogMark.log(mark) && own < last
    }

    /// The mark of the first transaction in a log: one of 2²² numbers, and none of them 0.
    package static func new(_ random: UInt64) -> Int32 {
        (Int32(truncatingIfNeeded: random >> 42) << countBits) & .max | 1
    }

    /// The mark of the transaction after this one in the same log.
    static func next(_ mark: Int32) -> Int32 { log(mark &+ 1) == log(mark) ? mark &+ 1 : mark }

    private static func log(_ mark: Int32) -> Int32 { mark >> countBits }

    /// The mark of the first transaction in this one's log.
    var first: Int32 { LogMark.log(mark) << LogMark.countBits | 1 }

    /// The offset in a log of the number of its first page, and that of the mark in it if that is the first page of the database:
    /// behind the headers of the log and of the frame ("WAL-mode File Format", sections 2 and 3).
    static let firstPage: Int64 = 32
    static let firstMark: Int64 = 32 + 24 + 60
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

extension LogMark {
    /// The mark of a database through its log.
    init(reading db: Database) throws {
        mark = try Int32.fetchOne(db, cached: "PRAGMA user_version") ?? 0
        do {
            previous = try Int32.fetchOne(db, cached: "SELECT previous FROM logMark")
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            // There is no such table. What cannot be read now, as with a failing disk, is another error.
            previous = nil
        }
    }

    /// Nil where it cannot be read.
    init?(_ db: Database) {
        guard let mark = try? LogMark(reading: db) else { return nil }
        self = mark
    }
}

extension Database {
    /// Marks the transaction, which is the one that writes at present.
    ///
    /// - Parameter random: sixty-four random bits, for the number of a log.
    /// - Throws: `.databaseReplaced` where something else was written into the file than from its log.
    package func markTransaction(of file: MarkedFile, _ random: () -> UInt64) throws {
        let own = try fileMark(file)
        let present = try LogMark(reading: self)
        switch file.state(of: present, own) {
        case .inLog: try put(LogMark.next(present.mark))
        case .copied where !beginsNewLog && hasBegun(present): try put(LogMark.next(present.mark))
        case .copied, .restored:
            try execute(cached: "INSERT OR REPLACE INTO logMark VALUES (1, ?)", arguments: [own])
            try put(LogMark.new(random()))
        case .replaced: throw LogFault.databaseReplaced(path: file.path)
        }
        file.note(own)
    }

    /// Compares the file with its log, in a transaction that reads: the mark that it has there, and what the two are.
    package func compareFile(_ file: MarkedFile) throws -> (mark: Int32, state: MarkedFile.State) {
        // First, so that an empty file is one, whatever SQLite says of it.
        let own = try fileMark(file)
        let present = try LogMark(reading: self)
        return (present.mark, file.state(of: present, own))
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
        else { return true }
        return LogIndex.isCopied(UnsafeRawPointer(region))
    }

    /// Whether the log begins with the first mark of the number that the present mark has, and has others behind it. Each of our
    /// transactions begins with the first page.
    private func hasBegun(_ present: LogMark) -> Bool {
        present.mark != present.first && number(SQLITE_FCNTL_JOURNAL_POINTER, LogMark.firstPage).value == 1
            && Int32(bitPattern: number(SQLITE_FCNTL_JOURNAL_POINTER, LogMark.firstMark).value) == present.first
    }

    /// A number in the file or in its log, the highest byte first, with SQLite's result of reading it; 0 where that is an error.
    private func number(_ pointer: Int32, _ offset: Int64) -> (result: Int32, value: UInt32) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        var bytes: UInt32 = 0
        var result = sqlite3_file_control(sqliteConnection, "main", pointer, &file)
        if result == SQLITE_OK {
            result = file?.pointee.pMethods?.pointee.xRead?(file, &bytes, 4, offset) ?? SQLITE_IOERR
        }
        return (result, result == SQLITE_OK ? UInt32(bigEndian: bytes) : 0)
    }

    /// The mark in the file itself: four bytes from 60 on, the highest first ("Database File Format" of SQLite's documentation,
    /// section 1.3.13).
    ///
    /// - Throws: `.databaseReplaced` where the file is too short to have one.
    private func fileMark(_ marked: MarkedFile) throws -> Int32 {
        let (result, value) = number(SQLITE_FCNTL_FILE_POINTER, 60)
        guard result != MarkedFile.shortRead else { throw LogFault.databaseReplaced(path: marked.path) }
        guard result == SQLITE_OK else { throw DatabaseError(resultCode: ResultCode(rawValue: result)) }
        return Int32(bitPattern: value)
    }
}
