import Foundation
import GRDB
import SystemPackage

/// The phone's database: lists, items, their history, and the rows that every watch has.
///
/// SQLite in WAL mode with every commit synchronised to the disk, because a watch forgets a check-off as soon as the
/// phone has acknowledged it. Any number of processes may have the same database open; one that finds it locked waits
/// for five seconds. Every method is one transaction: a process that dies in the middle leaves the state from before.
public struct PhoneStore: Sendable {
    package let path: String
    let dependencies: PhoneDependencies
    private let queue: DatabaseQueue
    private let execution: Execution

    /// On which thread transactions run.
    private enum Execution {
        /// On the database's own, so that the caller's is free meanwhile. What changes this file is stored while it is in place.
        case queued(OpenedDatabase)
        /// On the caller's, for a simulation that runs everything on one.
        case inline
    }

    /// Opens the database at `path`, which is created, with its directory, where it does not exist, and migrated where an
    /// earlier version wrote it. Its owner alone may read it (mode 0600).
    ///
    /// - Throws: `.damaged`, `.newerDatabase`, `.foreignLog`, `.readOnly`, `.locked`, `.diskFull`, `.cannotOpen`,
    ///   `.cannotCreateDirectory` or `.storage`.
    public init(path: String) throws(PhoneError) {
        try self.init(path: path, dependencies: .system)
    }

    /// - Parameter busyTimeout: the longest wait for the transactions of other programs, in seconds.
    init(path: String, dependencies: PhoneDependencies, busyTimeout: TimeInterval = 5) throws(PhoneError) {
        self.path = path
        self.dependencies = dependencies
        guard !path.isEmpty else { throw .cannotOpen(path: path, reason: "the name is empty") }
        let directory = FilePath(path).removingLastComponent().string
        try PhoneStore.createDirectory(directory.isEmpty ? "." : directory)
        let turn = try OpeningTurn(directory: directory.isEmpty ? "." : directory, path: path, timeout: busyTimeout)
        defer { turn.end() }
        let file = DatabaseFile(path: path)
        try file.check()
        try LogCheck(path: path).begin()
        file.create()
        queue = try PhoneStore.open(path, dependencies, busyMode: .timeout(busyTimeout))
        execution = .queued(try OpenedDatabase(path: path))
        file.tighten()
    }

    /// Opens the database at `path` of a file system in memory that SQLite has been given. Every transaction runs on the
    /// caller's thread, and one that finds the database locked fails at once.
    package init(inMemory path: String, dependencies: PhoneDependencies) throws(PhoneError) {
        self.path = path
        self.dependencies = dependencies
        execution = .inline
        try LogCheck(path: path).begin()
        queue = try PhoneStore.open(path, dependencies, busyMode: .immediateError)
    }

    private static func open(
        _ path: String, _ dependencies: PhoneDependencies, busyMode: Database.BusyMode
    ) throws(PhoneError) -> DatabaseQueue {
        var configuration = Configuration()
        configuration.label = "tapline.phone"
        configuration.busyMode = busyMode
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            do { try prepare(queue, path: path, dependencies: dependencies) } catch PhoneError.foreignLog(let path) {
                LogCheck(path: path).leavingLog { try? queue.close() }
                throw PhoneError.foreignLog(path: path)
            }
            return queue
        } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// Closes the database; the last process to do so merges the write-ahead log into the file.
    public func close() throws(PhoneError) {
        do {
            try queue.close()
        } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// One transaction that may change everything.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(PhoneError)
        -> Value
    {
        do {
            switch execution {
            case .queued(let file):
                return try await queue.writeWithoutTransaction { db in
                    try db.writing(dependencies.logMark) { db in
                        let value = try body(db)
                        try file.checkPlace()
                        return value
                    }
                }
            case .inline: return try writeInline(body)
            }
        } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// One transaction that changes nothing.
    func read<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(PhoneError) -> Value
    {
        do {
            switch execution {
            case .queued: return try await queue.unsafeRead { try $0.reading(body) }
            case .inline: return try readInline(body)
            }
        } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// A number that another program's transactions change, and this store's do not.
    func version() async throws(PhoneError) -> Int64? {
        try await read { db in try Int64.fetchOne(db, cached: "PRAGMA data_version") }
    }

    private func writeInline<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.writeWithoutTransaction { try $0.writing(dependencies.logMark, body) }
    }

    private func readInline<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.unsafeRead { try $0.reading(body) }
    }

    private static func createDirectory(_ directory: String) throws(PhoneError) {
        do {
            try FileManager.default.createDirectory(
                atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw .cannotCreateDirectory(path: directory, reason: String(describingErrno: error))
        }
    }

    /// Checks that the database is ours before anything in it is changed, then migrates it where that is needed.
    private static func prepare(_ queue: DatabaseQueue, path: String, dependencies: PhoneDependencies) throws {
        let migrator = PhoneSchema.migrator(dependencies)
        let isComplete = try queue.writeWithoutTransaction { db in
            try LogCheck(path: path).compare(db)
            let application = try Int32.fetchOne(db, sql: "PRAGMA application_id")
            let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            guard tables == 0 || application == PhoneSchema.applicationID else { throw PhoneError.damaged(path: path) }
            let applied = try migrator.appliedIdentifiers(db)
            guard applied.isSubset(of: migrator.migrations) else { throw PhoneError.newerDatabase(path: path) }
            let mode = try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL")
            guard mode == "wal" else {
                throw PhoneError.cannotOpen(path: path, reason: "its file system has no shared memory for SQLite")
            }
            try db.execute(sql: "PRAGMA synchronous = FULL")
            // Before the first table, so that a process that dies in between leaves nothing that looks like another
            // program's.
            if tables == 0 { try db.execute(sql: "PRAGMA application_id = \(PhoneSchema.applicationID)") }
            return applied.count == migrator.migrations.count
        }
        if !isComplete {
            try migrator.migrate(queue)
            // The log of a migration follows a file without a mark. What is in its way, another program that reads, ends.
            _ = try? queue.writeWithoutTransaction { try Int.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        }
        queue.unsafeRead { $0.stopAuthorizing() }
    }
}
