import GRDB
import Glibc
import HostSystem
import SystemPackage

package enum StoreFile {
    /// - Throws: `.storage` if the path is empty or `:memory:`, because SQLite would keep no file.
    package static func checkPath(_ path: String) throws(WormholeError) {
        guard DatabaseSchema.isFile(path) else {
            throw .storage("a database needs a file, \"\(path)\" is none: name another database")
        }
    }

    /// - Throws: `.storage` if the file is not a message store of this version; `.system` if it cannot be created.
    static func open(_ path: String, _ durability: StoreDurability) throws(WormholeError) -> DatabaseQueue {
        // Creates the file first, because SQLite would let other users read it. No connection is open yet, so closing the
        // descriptor releases no lock of SQLite.
        close(try SocketCalls.open(path, O_RDWR | O_CREAT))
        return try open(virtual: DatabaseSchema.plain(path), durability)
    }

    /// Opens a database, and creates its tables if it is new. The path is `:memory:`, or it names a file on disk or in an
    /// in-memory file system that is registered with SQLite.
    static func open(virtual path: String, _ durability: StoreDurability) throws(WormholeError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "tapline.messages"
        // A turn calls the database many times before the commit.
        configuration.allowsUnsafeTransactions = true
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            try queue.writeWithoutTransaction {
                try StoreSchema.schema.open($0, synchronous: durability.synchronous)
            }
            return queue
        } catch {
            throw WormholeError(storing: error, in: path)
        }
    }
}

extension WormholeError {
    static func notAStore(_ path: String) -> WormholeError { .storage("\(path) is not a message store") }

    init(storing error: any Error, in path: String) {
        switch error {
        case let error as WormholeError: self = error
        case DatabaseSchema.Fault.foreign: self = .notAStore(path)
        case DatabaseSchema.Fault.otherVersion:
            self = .storage(
                "\(path) was written by another version of Tapline: use that version, or name another database")
        case DatabaseSchema.Fault.noSharedMemory:
            self = .storage("the file system of \(path) has no shared memory for SQLite: name another database")
        case is CancellationError: self = .cancelled
        case let cell as InvalidCell:
            self = .storage(
                "\(path) has the value \(cell.value) in \(cell.table).\(cell.column), which no version writes")
        case let error as DatabaseError where error.meansNoLocks(at: path):
            self = .storage("the file system of \(path) has no locks: name another database, on one that has")
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
