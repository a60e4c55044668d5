import Foundation
import GRDB
import Wormhole

/// What is in a database, what is damaged, and what that costs. Neither the database nor the files beside it are changed: a
/// copy is read.
package struct DatabaseCheck: Sendable {
    /// A list with the numbers of its items.
    package struct List: Sendable, Equatable {
        package var name: String
        package var open: Int
        package var checked: Int
        package var role: ListSummary.Role
    }

    /// A watch and what waits for it.
    package struct Watch: Sendable, Equatable {
        package var identity: UInt64
        package var name: String
        /// Messages that the positions say it has still to get.
        package var waiting: Int64
        /// Messages of those that are there.
        package var queued: Int64
    }

    /// Rows with a value that no version writes.
    package struct OutOfRange: Sendable, Equatable {
        package var table: String
        package var column: String
        package var rows: Int
    }

    /// How the database relates to this version.
    package enum Schema: Sendable, Equatable {
        case present
        /// The next start migrates it.
        case older
        /// This version refuses it.
        case newer
    }

    /// How much of the write-ahead log SQLite reads.
    package enum Log: Sendable, Equatable {
        /// All that was committed to it. Where there is none, too.
        case whole
        /// Nothing: its header is damaged.
        case unread
        /// What is before a damaged frame. `transactions` is the number of those that end with it or behind it; the last of
        /// them may be one that the power has cut off, of which nobody was told that it is stored.
        case cut(transactions: Int)
    }

    package let path: String
    /// Bytes in the file, and in the write-ahead log beside it: of a host that runs, or that was killed.
    package let fileBytes: Int
    package let logBytes: Int
    package let log: Log
    /// The names of the migrations that it went through.
    package let migrations: [String]
    package let schema: Schema
    /// What SQLite's own check has found, at most 100 lines; empty where all is well.
    package let integrity: [String]
    /// Rows that refer to a row that is not there, by table.
    package let orphans: [String: Int]
    package let outOfRange: [OutOfRange]
    /// Tables that cannot be read to their end, and `wholeFile` where SQLite's own check could not reach it.
    package let unreadable: [String]
    package static let wholeFile = "the whole file"
    package let lists: [List]
    package let watches: [Watch]
    package let historyEntries: Int
    package let latestValues: Int

    /// Whether something is lost, or cannot be used.
    package var isDamaged: Bool {
        log != .whole || !integrity.isEmpty || !orphans.isEmpty || !outOfRange.isEmpty || !unreadable.isEmpty
            || !gaps.isEmpty
    }

    /// The watches of whose queue a part is missing: they are given the list anew.
    package var gaps: [Watch] { watches.filter { $0.queued < $0.waiting } }

    /// Reads the database at `path`.
    ///
    /// - Throws: `.damaged` for a file that is not a Tapline database, `.foreignLog`, `.cannotOpen`, `.storage`.
    package init(path: String) throws(PhoneError) {
        do {
            let copy = try DatabaseCopy(of: path)
            defer { copy.remove() }
            let connection = try DatabaseQueue(path: copy.path)
            let reading = try connection.writeWithoutTransaction { db in
                try LogCheck(path: copy.path).compare(db)
                guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == PhoneSchema.applicationID else {
                    throw PhoneError.damaged(path: path)
                }
                return try DatabaseReading(db)
            }
            try connection.close()
            self.path = path
            fileBytes = copy.fileBytes
            logBytes = copy.log.count
            log = copy.moment == .one ? WriteAheadLog.extent(of: copy.log) : .whole
            migrations = reading.migrations
            schema = reading.schema
            integrity = reading.integrity
            orphans = reading.orphans
            outOfRange = reading.outOfRange
            lists = reading.lists
            watches = reading.watches
            historyEntries = reading.count("history")
            latestValues = reading.count("latest")
            unreadable = reading.unreadable.sorted()
        } catch {
            throw PhoneError(error, path: path).aboutOriginal(at: path)
        }
    }
}
