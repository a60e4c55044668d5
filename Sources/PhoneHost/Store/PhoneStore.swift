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
    private let queue: DatabaseQueue
    private let marked: MarkedFile
    private let execution: Execution

    /// On which thread transactions run.
    private enum Execution {
        /// On the database's own, so that the caller's is free meanwhile. What changes this file is stored while it is in place.
        case queued(OpenedDatabase, GroupedTransactions)
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

    /// - Parameters:
    ///   - busyTimeout: the longest wait for the transactions of other programs, in seconds.
    ///   - user: the user whose files these have to be.
    init(
        path: String, dependencies: PhoneDependencies, busyTimeout: TimeInterval = 5, user: UInt32 = geteuid()
    ) throws(PhoneError) {
        self.path = path
        marked = MarkedFile(path: path)
        self.dependencies = dependencies
        guard !path.isEmpty else { throw .cannotOpen(path: path, reason: "the name is empty") }
        let directory = FilePath(path).removingLastComponent().string
        try PhoneStore.createDirectory(directory.isEmpty ? "." : directory)
        let turn = try OpeningTurn(directory: directory.isEmpty ? "." : directory, path: path, timeout: busyTimeout)
        defer { turn.end() }
        let file = DatabaseFile(path: path, user: user)
        try file.check()
        try file.checkOwner()
        try PhoneStore.checkLog(path)
        file.create()
        queue = try PhoneStore.open(marked, dependencies, busyMode: .timeout(busyTimeout))
        let opened = try OpenedDatabase(path: path)
        let transactions = GroupedTransactions(queue, path: path) { [marked] db, body in
            try db.writing(to: marked, dependencies.logMark) { db in
                try body(db)
                try opened.checkPlace()
            }
        }
        execution = .queued(opened, transactions)
        // Those that SQLite would have made may have been made by another user meanwhile.
        try file.checkOwner()
        file.tighten()
    }

    /// Opens the database at `path` of a file system in memory that SQLite has been given. Every transaction runs on the
    /// caller's thread, and one that finds the database locked fails at once.
    package init(inMemory path: String, dependencies: PhoneDependencies) throws(PhoneError) {
        self.path = path
        marked = MarkedFile(path: path)
        self.dependencies = dependencies
        execution = .inline
        try PhoneStore.checkLog(path)
        queue = try PhoneStore.open(marked, dependencies, busyMode: .immediateError)
    }

    /// Looks at the files before they are opened.
    private static func checkLog(_ path: String) throws(PhoneError) {
        do throws(LogFault) { try LogCheck(path: path).begin() } catch { throw PhoneError(error) }
    }

    private static func open(
        _ file: MarkedFile, _ dependencies: PhoneDependencies, busyMode: Database.BusyMode
    ) throws(PhoneError) -> DatabaseQueue {
        let path = file.path
        var configuration = Configuration()
        configuration.label = "tapline.phone"
        configuration.busyMode = busyMode
        do {
            let queue = try DatabaseQueue(path: path, configuration: configuration)
            do { try prepare(queue, file, dependencies) } catch LogFault.foreignLog(let path) {
                LogCheck(path: path).leavingLog { try? queue.close() }
                throw PhoneError.foreignLog(path: path)
            }
            return queue
        } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// Closes the database; the last process to do so merges the write-ahead log into the file.
    ///
    /// - Throws: `.databaseReplaced` where the file is not the one of its log: both stay as they are.
    public func close() throws(PhoneError) {
        switch execution {
        case .queued(_, let transactions): transactions.end()
        case .inline: break
        }
        do {
            try queue.unsafeRead(compareFile)
        } catch PhoneError.databaseReplaced(let path) {
            // Nothing but the end of the process closes this connection without merging the log, also where the file is empty.
            _ = Unmanaged.passRetained(queue)
            throw .databaseReplaced(path: path)
        } catch {
            // What cannot be read now was not written over by somebody, as far as anybody knows.
        }
        do {
            try queue.close()
        } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// One transaction that may change everything. Several that come at the same time share a commit; each is made or undone by
    /// itself.
    func write<Value: Sendable>(_ body: @escaping @Sendable (Database) throws -> Value) async throws(PhoneError)
        -> Value
    {
        do {
            switch execution {
            case .queued(_, let transactions): return try await transactions.change(body).get()
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

    /// A transaction that changes nothing but the mark of the log, which another program may have begun.
    func markLog() async throws(PhoneError) {
        try await write { _ in }
    }

    /// Looks whether the database is in its place, and is what was stored in it.
    ///
    /// - Throws: `.databaseMoved`, `.databaseReplaced`; `.locked`, `.storage`.
    func checkFile() async throws(PhoneError) {
        do {
            if case .queued(let file, _) = execution { try file.checkPlace() }
            try await queue.unsafeRead(compareFile)
        } catch {
            throw PhoneError(error, path: path)
        }
    }

    /// Compares the file with its log. Other programs may begin another log between two looks, so one is not enough.
    private func compareFile(_ db: Database) throws {
        var suspected: Int32?
        while true {
            let (mark, state): (Int32, MarkedFile.State)
            do { (mark, state) = try db.reading { try $0.compareFile(marked) } } catch let fault as LogFault {
                throw PhoneError(fault)
            }
            guard case .replaced = state else { return }
            if mark == suspected { throw PhoneError.databaseReplaced(path: path) }
            suspected = mark
        }
    }

    /// A number that another program's transactions change, and this store's do not.
    func version() async throws(PhoneError) -> Int64? {
        try await read { db in try Int64.fetchOne(db, cached: "PRAGMA data_version") }
    }

    private func writeInline<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.writeWithoutTransaction { try $0.writing(to: marked, dependencies.logMark, body) }
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
    private static func prepare(_ queue: DatabaseQueue, _ file: MarkedFile, _ dependencies: PhoneDependencies) throws {
        let path = file.path
        let migrator = PhoneSchema.migrator(dependencies) { try $0.markTransaction(of: file, dependencies.logMark) }
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
