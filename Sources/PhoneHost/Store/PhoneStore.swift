import Foundation
import GRDB
import SystemPackage
import Wormhole

/// The phone's database: lists, items, their history, and the rows that every watch has.
///
/// SQLite in WAL mode with every commit synchronised to the disk, because a watch forgets a check-off as soon as the
/// phone has acknowledged it. Any number of processes may have the same database open; one that finds it locked waits
/// for five seconds. Every method is one transaction: a process that dies in the middle leaves the state from before.
public struct PhoneStore: Sendable {
    package let path: String
    let dependencies: PhoneDependencies
    let connection: StoreConnection

    /// Opens the database at `path`, which is created, with its directory, if it does not exist. Its owner alone may read it
    /// (mode 0600).
    ///
    /// - Throws: `.damaged`, `.otherVersion`, `.readOnly`, `.locked`, `.diskFull`, `.cannotOpen`, `.cannotCreateDirectory` or
    ///   `.storage`.
    public init(path: String) throws(PhoneError) {
        try self.init(path: path, dependencies: .system)
    }

    /// - Parameters:
    ///   - busyTimeout: the longest wait for the transactions of other programs, in seconds.
    ///   - user: the user whose files these have to be.
    init(
        path: String, dependencies: PhoneDependencies, busyTimeout: TimeInterval = 5, user: UInt32 = geteuid()
    ) throws(PhoneError) {
        self.path = path
        self.dependencies = dependencies
        try PhoneStore.checkPath(path)
        let directory = FilePath(path).removingLastComponent().string
        try PhoneStore.createDirectory(directory.isEmpty ? "." : directory)
        let lock = try OpenLock(directory: directory.isEmpty ? "." : directory, path: path, timeout: busyTimeout)
        defer { lock.end() }
        let file = DatabaseFile(path: path, user: user)
        try file.check()
        try file.checkOwner()
        file.create()
        connection = StoreConnection(
            try PhoneStore.open(path, named: path, dependencies, .timeout(busyTimeout)))
        // Those that SQLite would have made may have been made by another user meanwhile.
        try file.checkOwner()
        file.tighten()
    }

    /// Opens the database at `path` of a file system in memory that SQLite has been given. Every transaction runs on the
    /// caller's thread, and one that finds the database locked fails at once.
    package init(inMemory path: String, dependencies: PhoneDependencies) throws(PhoneError) {
        self.path = path
        self.dependencies = dependencies
        connection = StoreConnection(
            try PhoneStore.open(path, named: path, dependencies, .immediateError), .inline)
    }

    /// Opens a copy of the database at `path`. Errors name the original.
    init(copy: DatabaseCopy, of path: String) throws(PhoneError) {
        self.path = path
        dependencies = .system
        connection = StoreConnection(try PhoneStore.open(copy.path, named: path, .system, .timeout(5)))
    }

    /// - Parameter name: the path in errors.
    private static func open(
        _ path: String, named name: String, _ dependencies: PhoneDependencies, _ busyMode: Database.BusyMode
    ) throws(PhoneError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "tapline.phone"
        // A turn calls the database many times before it commits.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = busyMode
        do {
            let queue = try DatabaseQueue(path: DatabaseSchema.plain(path), configuration: configuration)
            try queue.writeWithoutTransaction { db in
                try PhoneSchema.schema(dependencies).open(db, synchronous: "FULL")
                db.stopAuthorizing()
            }
            return queue
        } catch {
            throw PhoneError(error, path: name)
        }
    }

    /// Closes the database; the last process to do so merges the write-ahead log into the file.
    public func close() throws(PhoneError) {
        do { try connection.close() } catch { throw PhoneError(error, path: path) }
    }

    /// One transaction that may change everything.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(PhoneError)
        -> Value
    {
        do { return try await connection.perform { try $0.write(body) }.get() } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// One transaction that changes nothing.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(PhoneError) -> Value
    {
        do { return try await connection.perform { try $0.read(body) }.get() } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// Has the database without a transaction.
    func look<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(PhoneError) -> Value
    {
        do { return try await connection.perform { try $0.look(body) }.get() } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// - Throws: `.cannotOpen` if SQLite would keep a database of this path in no file.
    package static func checkPath(_ path: String) throws(PhoneError) {
        guard DatabaseSchema.isFile(path) else { throw .cannotOpen(path: path, reason: "a database needs a file") }
    }

    private static func createDirectory(_ directory: String) throws(PhoneError) {
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotCreateDirectory(path: directory, reason: String(describingErrno: error))
        }
    }
}
