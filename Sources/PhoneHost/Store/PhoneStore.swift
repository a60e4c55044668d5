import Foundation
import GRDB
import SystemPackage
import Wormhole

/// The phone's database: lists, items, their history, and the rows that every watch has.
///
/// SQLite runs in WAL mode and writes every commit to the disk, because a watch deletes a check-off after its acknowledgement.
/// Any number of processes may open the database; one that finds it locked waits for five seconds. Every method is one
/// transaction, so a process that dies in between leaves the earlier state.
public struct PhoneStore: Sendable {
    package let path: String
    let dependencies: PhoneDependencies
    let connection: StoreConnection

    /// Opens the database at `path`. Creates it and its directory if they are missing; only their owner may read the file (mode
    /// 0600).
    ///
    /// - Throws: `.damaged`, `.otherVersion`, `.readOnly`, `.locked`, `.diskFull`, `.cannotOpen`, `.cannotCreateDirectory` or
    ///   `.storage`.
    public init(path: String) throws(PhoneError) {
        try self.init(path: path, dependencies: .system)
    }

    /// - Parameters:
    ///   - busyTimeout: the longest wait for other programs' transactions, in seconds.
    ///   - user: the user who must own the database files.
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
        // Another user may have created SQLite's files meanwhile.
        try file.checkOwner()
        file.tighten()
    }

    /// Opens the database at `path` in SQLite's in-memory file system. Every transaction runs on the caller's thread, and fails
    /// at once if the database is locked.
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

    /// - Parameter name: the path for errors.
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

    /// Closes the database. The last process to do so merges the write-ahead log into the file.
    public func close() throws(PhoneError) {
        do { try connection.close() } catch { throw PhoneError(error, path: path) }
    }

    /// One transaction that may write.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(PhoneError)
        -> Value
    {
        do { return try await connection.perform { try $0.write(body) }.get() } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// One transaction that only reads.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(PhoneError) -> Value
    {
        do { return try await connection.perform { try $0.read(body) }.get() } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// Uses the database without a transaction.
    func look<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(PhoneError) -> Value
    {
        do { return try await connection.perform { try $0.look(body) }.get() } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// - Throws: `.cannotOpen` if SQLite would not store a database with this path in a file.
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
