import GRDB
import Synchronization

/// Changes a database in transactions. The changes that come while one transaction is committed share the next one, so that a
/// disk which takes its time for each commit delays many changes once.
///
/// Everything runs on the thread of the database, and whoever waits goes on from there: to wake another thread takes longer than
/// most changes.
package final class GroupedTransactions: Sendable {
    private enum State {
        case idle
        /// These are made after the transaction that is under way or about to be.
        case committing([Change])
        case closed

        var waiting: [Change] {
            switch self {
            case .idle, .closed: []
            case .committing(let changes): changes
            }
        }
    }

    /// One caller's part of a transaction.
    private struct Change {
        /// Makes the change, and keeps what came of it. Where several are tried together and one fails, each is made again.
        let make: @Sendable (Database, Isolation) throws -> Void
        /// The transaction has ended: with this error, or committed.
        let finish: @Sendable ((any Error)?) -> Void
    }

    /// A change of a group that shares its transaction has failed.
    private struct Failure: Error {
        let reason: any Error
    }

    /// What becomes of a transaction when a change in it fails.
    private enum Isolation {
        /// All of it fails.
        case shared
        /// The change is undone by itself, and the others stay.
        case own
    }

    /// On which thread transactions run.
    package enum Execution: Sendable {
        /// On the database's own, so that the caller's is free meanwhile.
        case queued
        /// On the caller's, for a simulation that runs everything on one.
        case inline
    }

    /// The most changes of one transaction: what comes first does not wait for a crowd.
    static let mostTogether = 256

    private let queue: DatabaseQueue
    private let execution: Execution
    private let state = Mutex(State.idle)

    /// The database's path.
    var path: String { queue.path }

    package init(_ queue: DatabaseQueue, _ execution: Execution = .queued) {
        self.queue = queue
        self.execution = execution
    }

    /// Makes a change durable, or nothing of it. It may be made twice where another of its group fails; what was made first is
    /// undone by then.
    nonisolated(nonsending) package func change<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async -> Result<Value, any Error> {
        let outcome = Mutex<Result<Value, any Error>?>(nil)
        return await withCheckedContinuation { continuation in
            add(
                Change { db, isolation in
                    switch isolation {
                    case .shared:
                        let value = try body(db)
                        outcome.withLock { $0 = .success(value) }
                    case .own:
                        let made = Result { try db.part(body) }
                        outcome.withLock { $0 = made }
                    }
                } finish: { failure in
                    if let failure { return continuation.resume(returning: .failure(failure)) }
                    continuation.resume(returning: outcome.withLock { $0 } ?? .failure(WormholeError.closed))
                })
        }
    }

    /// Has the database without a transaction, between two of these.
    nonisolated(nonsending) package func look<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async -> Result<Value, any Error> {
        if case .inline = execution {
            guard !isClosed else { return .failure(WormholeError.closed) }
            return lookInline(body)
        }
        // Not GRDB's own `read`, which fails in a task that was cancelled: a link that ends still looks up what it has sent.
        return await withCheckedContinuation { continuation in
            let isAsked = ask { db in continuation.resume(returning: Result { try body(db) }) }
            if !isAsked { continuation.resume(returning: .failure(WormholeError.closed)) }
        }
    }

    /// Closes the database once what was begun is committed. Every later change throws `.closed`.
    package func close() throws {
        // SQLite is not asked about a connection that is gone.
        guard !isClosed else { return }
        let waiting = state.withLock { state in
            defer { state = .closed }
            return state.waiting
        }
        for change in waiting { change.finish(WormholeError.closed) }
        try queue.close()
    }

    private var isClosed: Bool {
        state.withLock { state in
            switch state {
            case .closed: true
            case .idle, .committing: false
            }
        }
    }

    /// Asks the database to run something before it is closed. Returns whether it will.
    @discardableResult
    private func ask(_ body: @escaping @Sendable (Database) -> Void) -> Bool {
        state.withLock { state in
            switch state {
            case .closed: return false
            case .idle, .committing:
                queue.asyncWriteWithoutTransaction(body)
                return true
            }
        }
    }

    private func add(_ change: Change) {
        let before = state.withLock { state in
            let before = state
            switch state {
            case .idle:
                state = .committing([change])
                if case .queued = execution { queue.asyncWriteWithoutTransaction(commitNext) }
            case .committing(var waiting):
                state = .idle
                waiting.append(change)
                state = .committing(waiting)
            case .closed: break
            }
            return before
        }
        switch (before, execution) {
        case (.closed, _): change.finish(WormholeError.closed)
        case (.idle, .inline): while queue.writeWithoutTransaction(commitGroup) {}
        case (.idle, .queued), (.committing, _): break
        }
    }

    /// Commits what waits, and comes back for what has come meanwhile, behind those who read.
    private func commitNext(_ db: Database) {
        if commitGroup(db) { ask(commitNext) }
    }

    /// Commits what waits. Returns whether there was anything.
    private func commitGroup(_ db: Database) -> Bool {
        let group = take()
        guard !group.isEmpty else { return false }
        let failure = commit(group, db)
        for change in group { change.finish(failure) }
        return true
    }

    /// The changes of the next transaction; none where it is the turn of the next caller to begin one.
    private func take() -> ArraySlice<Change> {
        state.withLock { state in
            let waiting = state.waiting
            switch state {
            case .idle, .closed: return []
            case .committing where waiting.isEmpty:
                state = .idle
                return []
            case .committing:
                let group = waiting.prefix(GroupedTransactions.mostTogether)
                state = .committing(Array(waiting.dropFirst(group.count)))
                return group
            }
        }
    }

    /// Most groups have no change that fails, and need not keep their changes apart.
    private func commit(_ group: ArraySlice<Change>, _ db: Database) -> (any Error)? {
        do {
            do {
                try commit(group, db, .shared)
            } catch let failure as Failure {
                guard group.count > 1 else { throw failure.reason }
                try commit(group, db, .own)
            }
            return nil
        } catch {
            return error
        }
    }

    private func commit(_ group: ArraySlice<Change>, _ db: Database, _ isolation: Isolation) throws {
        try db.transaction("BEGIN IMMEDIATE TRANSACTION", "COMMIT TRANSACTION") { db in
            for change in group {
                do { try change.make(db, isolation) } catch { throw Failure(reason: error) }
                // Some errors, such as that of a full disk, end the whole transaction by themselves.
                guard db.isInsideTransaction else { throw DatabaseError(resultCode: .SQLITE_FULL) }
            }
        }
    }

    // In functions that are not asynchronous GRDB's calls are those that block.

    private func lookInline<Value>(_ body: (Database) throws -> Value) -> Result<Value, any Error> {
        Result { try queue.unsafeRead(body) }
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
