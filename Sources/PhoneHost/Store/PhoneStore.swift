import Foundation
import GRDB
import SystemPackage
import Wormhole

/// The phone's database: its lists with their items and history, and what each watch has received.
///
/// SQLite runs in WAL mode and syncs every commit to the disk, because a watch deletes a check-off once the phone acknowledges
/// it. Any number of processes may open the database, and each waits up to five seconds for another's lock. Every method is one
/// transaction, so a process that dies in the middle changes nothing. A list name of nil means the active list.
public struct PhoneStore: Sendable {
    package let path: String
    let dependencies: PhoneDependencies
    let connection: StoreConnection

    /// Opens the database at `path`. Creates the file (mode 0600) and its directory (mode 0700) if they are missing.
    ///
    /// - Throws: `.damaged`, `.otherVersion`, `.readOnly`, `.locked`, `.diskFull`, `.cannotOpen`, `.cannotCreateDirectory` or
    ///   `.storage`.
    public init(path: String) throws(PhoneError) {
        try self.init(path: path, dependencies: .system)
    }

    /// - Parameters:
    ///   - busyTimeout: the maximum time to wait for another process's lock, in seconds.
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
        // Another user may have created the write-ahead log or its index since the first check.
        try file.checkOwner()
        file.tighten()
    }

    /// Opens a database in memory. A transaction runs on the caller's thread. If the database is locked, the transaction
    /// fails at once.
    ///
    /// - Parameters:
    ///   - path: `:memory:`, or a path in an in-memory file system that SQLite already knows.
    ///   - original: a database to copy. The copy has only the committed changes.
    package init(
        inMemory path: String, copying original: PhoneStore? = nil, dependencies: PhoneDependencies
    ) throws(PhoneError) {
        self.path = path
        self.dependencies = dependencies
        connection = StoreConnection(
            try PhoneStore.open(path, named: path, dependencies, .immediateError, copying: original?.connection),
            .inline)
    }

    /// Opens a copy of the database at `path`. Errors name `path`, not the copy.
    init(copy: DatabaseCopy, of path: String) throws(PhoneError) {
        self.path = path
        dependencies = .system
        connection = StoreConnection(try PhoneStore.open(copy.path, named: path, .system, .timeout(5)))
    }

    private static func open(
        _ path: String, named name: String, _ dependencies: PhoneDependencies, _ busyMode: Database.BusyMode,
        copying original: StoreConnection? = nil
    ) throws(PhoneError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "tapline.phone"
        // A caller may write several times before it commits.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = busyMode
        do {
            let queue = try DatabaseQueue(path: DatabaseSchema.plain(path), configuration: configuration)
            try original?.copy(to: queue)
            try queue.writeWithoutTransaction { db in
                try PhoneSchema.schema(dependencies).open(db, synchronous: "FULL")
                db.stopAuthorizing()
            }
            return queue
        } catch {
            throw PhoneError(error, path: name)
        }
    }

    /// Closes the database. The last process that closes it merges the write-ahead log into the file.
    public func close() throws(PhoneError) {
        do { try connection.close() } catch { throw PhoneError(error, path: path) }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(PhoneError) -> Value {
        try await perform { try $0.write(body) }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(PhoneError) -> Value {
        try await perform { try $0.read(body) }
    }

    func perform<Value: Sendable>(
        _ body: @escaping @Sendable (StoreConnection) throws -> Value
    ) async throws(PhoneError) -> Value {
        do { return try await connection.perform(body).get() } catch { throw PhoneError(error, path: path) }
    }

    /// - Throws: `.cannotOpen` if SQLite uses no file for `path`, for example for `:memory:`.
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
