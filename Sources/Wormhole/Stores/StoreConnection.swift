import GRDB

/// A connection to a database. All calls run one after another on the database's own queue. A turn is one transaction
/// for all inputs that have arrived together, so that the inputs wait for a slow disk only once.
package final class StoreConnection: Sendable {
    package enum Execution: Sendable {
        case queued
        /// Calls of `perform` run at once on the caller's thread, for a simulation with a single thread.
        case inline
    }

    /// What to undo if the present savepoint fails.
    private enum Undo {
        case nothing
        case transaction
        case savepoint
    }

    private struct Turn {
        var isBegun = false
        var undo = Undo.nothing
        var steps: [() -> Void] = []
        /// The error after which SQLite itself has undone the transaction, for example because the disk is full. The turn then
        /// commits nothing.
        var failure: (any Error)?
    }

    private let queue: DatabaseQueue
    private let execution: Execution
    private nonisolated(unsafe) var turn: Turn?  // It is used only on the queue.
    private nonisolated(unsafe) var isClosed = false  // It is used only on the queue.

    var path: String { queue.path }

    /// - Parameter queue: must allow unsafe transactions, because a turn's transaction stays open over many calls of the queue.
    package init(_ queue: DatabaseQueue, _ execution: Execution = .queued) {
        self.queue = queue
        self.execution = execution
    }

    /// Copies the committed state to an empty database.
    package func copy(to other: DatabaseQueue) throws { try queue.backup(to: other) }

    private func exclusively<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.unsafeReentrantWrite { db in
            guard !isClosed else { throw WormholeError.closed }
            return try body(db)
        }
    }

    /// Runs `body` in a transaction, which begins with the first change. After an error nothing has changed.
    package func turn<Value>(_ body: () throws -> Value) throws -> Value {
        // A closed database does not fail a turn that does not use it.
        let (value, steps) = try queue.unsafeReentrantWrite { db in
            turn = Turn()
            defer { turn = nil }
            do {
                let value = try body()
                if let failure = turn?.failure { throw failure }
                if turn?.isBegun == true {
                    guard db.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_FULL) }
                    try db.execute(cached: "COMMIT TRANSACTION")
                }
                return (value, turn?.steps ?? [])
            } catch {
                if turn?.isBegun == true, db.isInsideTransaction { try? db.rollback() }
                throw error
            }
        }
        for step in steps { step() }
        return value
    }

    /// Runs `body` inside a turn. If `body` throws, undoes only the changes of `body`, and drops the steps that `body`
    /// added.
    package func savepoint<Value>(_ body: () throws -> Value) throws -> Value {
        try queue.unsafeReentrantWrite { db in
            let count = turn?.steps.count ?? 0
            turn?.undo = .nothing
            defer { turn?.undo = .nothing }
            do {
                let value = try body()
                if turn?.undo == .savepoint { try db.execute(cached: "RELEASE input") }
                return value
            } catch {
                turn?.steps.removeSubrange(count...)
                switch turn?.undo {
                case .nothing, nil: break
                case .transaction:
                    if db.isInsideTransaction { try db.rollback() }
                    turn?.isBegun = false
                case .savepoint where db.isInsideTransaction:
                    try db.execute(cached: "ROLLBACK TO input")
                    try db.execute(cached: "RELEASE input")
                case .savepoint: turn?.failure = error
                }
                throw error
            }
        }
    }

    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try exclusively { db in
            guard let present = turn else { return try turn { try write(body) } }
            if let failure = present.failure { throw failure }
            if !present.isBegun {
                try db.execute(cached: "BEGIN IMMEDIATE TRANSACTION")
                turn?.isBegun = true
                turn?.undo = .transaction
            } else if present.undo == .nothing {
                try db.execute(cached: "SAVEPOINT input")
                turn?.undo = .savepoint
            }
            let value = try body(db)
            // Some errors, such as a full disk, make SQLite end the whole transaction.
            guard db.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_FULL) }
            return value
        }
    }

    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try exclusively { db in try turn?.isBegun == true ? body(db) : db.reading(body) }
    }

    package func withoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value { try exclusively(body) }

    /// Runs a step once the present turn is committed, or at once outside of a turn. The step does not run if the turn
    /// fails, or if the savepoint that added the step fails. Call this only on the database's queue.
    package func afterCommit(_ step: @escaping () -> Void) {
        if turn == nil { step() } else { turn?.steps.append(step) }
    }

    nonisolated(nonsending) package func perform<Value: Sendable>(
        _ call: @escaping @Sendable (StoreConnection) throws -> Value
    ) async -> Result<Value, any Error> {
        if case .inline = execution { return Result { try call(self) } }
        // GRDB's own asynchronous calls fail in a cancelled task.
        return await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { _ in continuation.resume(returning: Result { try call(self) }) }
        }
    }

    /// Closes the database. Later reads and writes throw `.closed`.
    package func close() throws {
        let isFirst = queue.unsafeReentrantWrite { _ in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { try queue.close() }
    }
}
