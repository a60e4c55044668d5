import GRDB

/// A connection to a database, and its transactions.
///
/// Every call runs on the database's own queue, one after the other. A turn is one transaction of many parts, so that a disk
/// that takes its time for each commit delays what has come together once.
package final class StoreConnection: Sendable {
    /// Where the asynchronous calls run.
    package enum Execution: Sendable {
        /// On the database's own thread: no other thread waits for the disk.
        case queued
        /// On the caller's, for a simulation that runs everything on one.
        case inline
    }

    /// What an error undoes of the present part of a turn.
    private enum Undo {
        case nothing
        /// The part has begun the transaction.
        case transaction
        case savepoint
    }

    private struct Turn {
        var isBegun = false
        var undo = Undo.nothing
        /// What is done once the transaction is committed.
        var steps: [() -> Void] = []
        /// SQLite has undone earlier parts by itself, as for a full disk: nothing is committed.
        var failure: (any Error)?
    }

    private let queue: DatabaseQueue
    private let execution: Execution
    /// Nil between two turns.
    private nonisolated(unsafe) var turn: Turn?  // It is used on the queue alone.
    private nonisolated(unsafe) var isClosed = false  // As `turn`.

    /// The database's path.
    var path: String { queue.path }

    /// - Parameter queue: allows unsafe transactions: a turn calls it many times before it commits.
    package init(_ queue: DatabaseQueue, _ execution: Execution = .queued) {
        self.queue = queue
        self.execution = execution
    }

    private func exclusively<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try queue.unsafeReentrantWrite { db in
            // SQLite is not asked about a connection that is gone.
            guard !isClosed else { throw WormholeError.closed }
            return try body(db)
        }
    }

    /// Commits everything that `body` changes in one transaction, which begins with the first change.
    ///
    /// - Throws: what `body` or the commit throws; then nothing has changed.
    package func turn<Value>(_ body: () throws -> Value) throws -> Value {
        // A turn that does not need the database does not fail if that is closed.
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

    /// A part of a turn, which an error undoes by itself, with the steps that it has added.
    package func part<Value>(_ body: () throws -> Value) throws -> Value {
        try queue.unsafeReentrantWrite { db in
            let count = turn?.steps.count ?? 0
            turn?.undo = .nothing
            defer { turn?.undo = .nothing }
            do {
                let value = try body()
                if turn?.undo == .savepoint { try db.execute(cached: "RELEASE part") }
                return value
            } catch {
                turn?.steps.removeSubrange(count...)
                switch turn?.undo {
                case .nothing, nil: break
                case .transaction:
                    if db.isInsideTransaction { try db.rollback() }
                    turn?.isBegun = false
                case .savepoint where db.isInsideTransaction:
                    try db.execute(cached: "ROLLBACK TO part")
                    try db.execute(cached: "RELEASE part")
                case .savepoint: turn?.failure = error
                }
                throw error
            }
        }
    }

    /// Changes the database: in the turn that runs, or in a transaction of its own.
    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try exclusively { db in
            guard let present = turn else { return try turn { try write(body) } }
            if let failure = present.failure { throw failure }
            if !present.isBegun {
                try db.execute(cached: "BEGIN IMMEDIATE TRANSACTION")
                turn?.isBegun = true
                turn?.undo = .transaction
            } else if present.undo == .nothing {
                try db.execute(cached: "SAVEPOINT part")
                turn?.undo = .savepoint
            }
            let value = try body(db)
            // Some errors, such as that of a full disk, end the whole transaction by themselves.
            guard db.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_FULL) }
            return value
        }
    }

    /// Reads: what the turn has changed already, or what is committed.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try exclusively { db in try turn?.isBegun == true ? body(db) : db.reading(body) }
    }

    /// Has the database without a transaction, outside of a turn.
    package func look<Value>(_ body: (Database) throws -> Value) throws -> Value { try exclusively(body) }

    /// Does something once the turn that runs is committed, unless its part fails; at once outside of a turn. Only a call of the
    /// database may ask for it.
    package func afterCommit(_ step: @escaping () -> Void) {
        if turn == nil { step() } else { turn?.steps.append(step) }
    }

    /// Makes a call that waits for the disk.
    nonisolated(nonsending) package func perform<Value: Sendable>(
        _ call: @escaping @Sendable (StoreConnection) throws -> Value
    ) async -> Result<Value, any Error> {
        if case .inline = execution { return Result { try call(self) } }
        // Not GRDB's own, which fails in a task that was cancelled.
        return await withCheckedContinuation { continuation in
            queue.asyncWriteWithoutTransaction { _ in continuation.resume(returning: Result { try call(self) }) }
        }
    }

    /// Closes the database after what was asked before. Every later call throws `.closed`.
    package func close() throws {
        let isFirst = queue.unsafeReentrantWrite { _ in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { try queue.close() }
    }
}
