import GRDB
import Synchronization

/// Changes a database in transactions. The changes that come while one transaction is committed share the next one, so that a
/// disk which takes its time for each commit delays many changes once.
actor GroupedTransactions {
    private enum State {
        case idle
        case committing
        case closed
    }

    /// One caller's part of a transaction.
    private struct Change {
        /// Makes the change, and keeps what came of it.
        let make: @Sendable (Database) -> Void
        /// The transaction has ended: with this error, or committed.
        let finish: @Sendable (WormholeError?) -> Void
    }

    /// On which thread transactions run.
    enum Execution {
        /// On the database's own, so that the caller's is free meanwhile.
        case queued
        /// On the caller's, for a simulation that runs everything on one.
        case inline
    }

    /// What marks the transactions of a database in a file, so that its log is not played onto another one; see `LogMark`.
    struct Marks: Sendable {
        let file: MarkedFile
        /// Sixty-four random bits, for the number of a log.
        let random: @Sendable () -> UInt64
    }

    /// The most changes of one transaction: what comes first does not wait for a crowd.
    static let mostTogether = 256

    private let queue: DatabaseQueue
    private let path: String
    private let execution: Execution
    /// Nil for a database in memory.
    private let marks: Marks?
    private var state = State.idle
    private var waiting: [Change] = []

    init(_ queue: DatabaseQueue, path: String, marks: Marks? = nil, _ execution: Execution = .queued) {
        self.queue = queue
        self.path = path
        self.marks = marks
        self.execution = execution
    }

    /// Makes a change durable, or nothing of it.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(WormholeError) -> Value {
        switch state {
        case .closed: throw .closed
        case .idle, .committing: break
        }
        let outcome = Mutex<Result<Value, any Error>?>(nil)
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            waiting.append(
                Change { db in
                    let made = Result { try db.part(body) }
                    outcome.withLock { $0 = made }
                } finish: { failure in
                    if let failure { return continuation.resume(returning: .failure(failure)) }
                    continuation.resume(returning: outcome.withLock { $0 } ?? .failure(WormholeError.closed))
                })
            start()
        }
        do { return try result.get() } catch { throw WormholeError(storing: error, in: path) }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(WormholeError) -> Value {
        switch state {
        case .closed: throw .closed
        case .idle, .committing: break
        }
        if case .inline = execution {
            do { return try readInline(body) } catch { throw WormholeError(storing: error, in: path) }
        }
        // Not GRDB's own `read`, which fails in a task that was cancelled: a link that ends still looks up what it has sent.
        let result: Result<Value, any Error> = await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { db in
                continuation.resume(returning: Result { try body(db) })
            }
        }
        do { return try result.get() } catch { throw WormholeError(storing: error, in: path) }
    }

    /// Closes the database once what was begun is committed. Every later change throws `.closed`.
    func close() {
        // SQLite is not asked about a connection that is gone.
        if case .closed = state { return }
        state = .closed
        for change in waiting { change.finish(.closed) }
        waiting = []
        // SQLite would merge the log into whatever file is there. Nothing but the end of the process closes the connection without that.
        if let marks, isReplaced(marks.file) { _ = Unmanaged.passRetained(queue) } else { try? queue.close() }
    }

    /// Whether something else was written into the file than from its log. What cannot be read now was not, as far as anybody knows.
    private func isReplaced(_ file: MarkedFile) -> Bool {
        do {
            return try queue.unsafeRead { try $0.compareFile(file).state } == .replaced
        } catch {
            return error is LogFault
        }
    }

    private func start() {
        guard case .idle = state else { return }
        state = .committing
        Task { await commitAll() }
    }

    private func commitAll() async {
        while case .committing = state, !waiting.isEmpty {
            let group = Array(waiting.prefix(GroupedTransactions.mostTogether))
            waiting.removeFirst(group.count)
            let failure = await commit(group)
            for change in group { change.finish(failure) }
        }
        if case .committing = state { state = .idle }
    }

    private func commit(_ group: [Change]) async -> WormholeError? {
        do {
            switch execution {
            case .queued: try await queue.write { [marks] in try GroupedTransactions.make(group, in: $0, marks) }
            case .inline: try commitInline(group)
            }
            return nil
        } catch {
            return WormholeError(storing: error, in: path)
        }
    }

    private static func make(_ group: [Change], in db: Database, _ marks: Marks?) throws {
        if let marks { try db.markTransaction(of: marks.file, marks.random) }
        for change in group {
            change.make(db)
            // Some errors, such as that of a full disk, end the whole transaction by themselves.
            guard db.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_FULL) }
        }
    }

    // In functions that are not asynchronous GRDB's calls are those that block.

    private func commitInline(_ group: [Change]) throws {
        try queue.write { try GroupedTransactions.make(group, in: $0, marks) }
    }

    private func readInline<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.unsafeRead(body)
    }
}

extension Database {
    /// A part of a transaction, which an error undoes by itself.
    fileprivate func part<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try execute(cached: "SAVEPOINT part")
        do {
            let value = try body(self)
            try execute(cached: "RELEASE part")
            return value
        } catch {
            if isInsideTransaction {
                try execute(cached: "ROLLBACK TO part")
                try execute(cached: "RELEASE part")
            }
            throw error
        }
    }
}
