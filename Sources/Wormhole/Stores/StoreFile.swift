import GRDB
import Glibc
import HostSystem
import SystemPackage

/// The database of a message store: a file that one process at a time has open, or memory.
enum StoreFile {
    /// SQLite's `application_id` of message stores: "TapM".
    static let applicationID: Int32 = 0x5461_704D

    /// Opens or creates the file.
    ///
    /// - Throws: `.storage` where the file is no message store, of a later version, or not the one of the log beside it; `.system`
    ///   where it cannot be created.
    static func open(_ path: String, _ durability: StoreDurability) throws(WormholeError) -> DatabaseQueue {
        try checkLog(path)
        // SQLite would create it for others to read. Nobody has it open, so closing it ends no lock of SQLite's.
        let descriptor = try SocketCalls.system(path) { () throws(HostSystemError) in
            try Descriptors.open(path, O_RDWR | O_CREAT)
        }
        close(descriptor)
        return try open(virtual: path, durability) { .random(in: .min ... .max) }
    }

    /// Opens or creates the file, with SQLite's own calls alone.
    ///
    /// - Parameter random: sixty-four random bits, for the mark of a log.
    static func open(
        virtual path: String, _ durability: StoreDurability, _ random: @escaping @Sendable () -> UInt64
    ) throws(WormholeError) -> DatabaseQueue {
        try checkLog(path)
        var configuration = Configuration()
        configuration.label = "tapline.messages"
        let file = MarkedFile(path: path)
        return try prepared(path, random, mark: { try $0.markTransaction(of: file, random) }) {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            do { try queue.writeWithoutTransaction { try prepare($0, path, durability) } } catch let fault as LogFault {
                LogCheck(path: path).leavingLog { try? queue.close() }
                throw fault
            }
            return queue
        }
    }

    /// Looks at the files before they are opened.
    private static func checkLog(_ path: String) throws(WormholeError) {
        do throws(LogFault) { try LogCheck(path: path).begin() } catch { throw WormholeError(storing: error, in: path) }
    }

    private static func prepare(_ db: Database, _ path: String, _ durability: StoreDurability) throws {
        try LogCheck(path: path).compare(db)
        // Of a file that is no database this is the first to read it, and nothing has been written to it.
        let owner = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        guard owner == applicationID || (owner == 0 && tables == 0) else { throw WormholeError.notAStore(path) }
        try db.execute(sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = \(durability.synchronous)")
    }

    /// A database that is gone with the object.
    static func inMemory() throws(WormholeError) -> DatabaseQueue {
        try prepared(":memory:", { 1 }, mark: { _ in }) { try DatabaseQueue() }
    }

    private static func prepared(
        _ path: String, _ random: @escaping @Sendable () -> UInt64, mark: @escaping @Sendable (Database) throws -> Void,
        _ open: () throws -> DatabaseQueue
    ) throws(WormholeError) -> DatabaseQueue {
        do {
            let queue = try open()
            let migrator = StoreSchema.migrator(random, mark: mark)
            guard try queue.read(migrator.hasBeenSuperseded) == false else {
                throw WormholeError.storage("\(path) is of a later version: update this program")
            }
            guard try !queue.read(migrator.hasCompletedMigrations) else { return queue }
            try migrator.migrate(queue)
            // The log of a migration follows a file without a mark.
            _ = try queue.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
            return queue
        } catch {
            throw WormholeError(storing: error, in: path)
        }
    }
}

extension WormholeError {
    static func notAStore(_ path: String) -> WormholeError { .storage("\(path) is not a message store") }

    /// An error of the database at `path`, in the terms of this module.
    init(storing error: any Error, in path: String) {
        switch error {
        case let error as WormholeError: self = error
        case let fault as LogFault: self = .storage(fault.description)
        case is CancellationError: self = .cancelled
        case let cell as InvalidCell:
            self = .storage(
                "\(path) has the value \(cell.value) in \(cell.table).\(cell.column), which no version writes")
        case let error as DatabaseError:
            switch error.resultCode {
            case .SQLITE_NOTADB: self = .notAStore(path)
            case .SQLITE_CORRUPT, .SQLITE_FORMAT, .SQLITE_MISMATCH: self = .storage("\(path) is damaged")
            case .SQLITE_FULL: self = .storage("the disk of \(path) is full: make room")
            case .SQLITE_READONLY, .SQLITE_PERM: self = .storage("\(path) cannot be written")
            case _:
                self = .storage(
                    "\(path): \(error.message ?? "SQLite error \(error.extendedResultCode.rawValue)")")
            }
        default: self = .storage("\(path): \(error)")
        }
    }
}
