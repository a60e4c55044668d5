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
    /// - Throws: `.storage` where the file is no message store, or of a later version; `.system` where it cannot be created.
    static func open(_ path: String, _ durability: StoreDurability) throws(WormholeError) -> DatabaseQueue {
        // SQLite would create it for others to read. Nobody has it open, so closing it ends no lock of SQLite's.
        let descriptor = try SocketCalls.system(path) { () throws(HostSystemError) in
            try Descriptors.open(path, O_RDWR | O_CREAT)
        }
        close(descriptor)
        return try open(virtual: path, durability)
    }

    /// Opens or creates the file, with SQLite's own calls alone.
    static func open(virtual path: String, _ durability: StoreDurability) throws(WormholeError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "tapline.messages"
        configuration.prepareDatabase { db in
            // Of a file that is no database this is the first to read it, and nothing has been written to it.
            let owner = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
            guard owner == applicationID || (owner == 0 && tables == 0) else { throw WormholeError.notAStore(path) }
            try db.execute(
                sql: "PRAGMA journal_mode = WAL; PRAGMA synchronous = \(durability.synchronous)")
        }
        return try prepared(path) { try DatabaseQueue(path: path, configuration: configuration) }
    }

    /// A database that is gone with the object.
    static func inMemory() throws(WormholeError) -> DatabaseQueue {
        try prepared(":memory:") { try DatabaseQueue() }
    }

    private static func prepared(
        _ path: String, _ open: () throws -> DatabaseQueue
    ) throws(WormholeError) -> DatabaseQueue {
        do {
            let queue = try open()
            let migrator = StoreSchema.migrator()
            guard try queue.read(migrator.hasBeenSuperseded) == false else {
                throw WormholeError.storage("\(path) is of a later version: update this program")
            }
            try migrator.migrate(queue)
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
