import GRDB
import GRDBSQLite
import Synchronization
import Testing

@testable import Wormhole

struct StoreConnectionTests {
    private final class Commits: Sendable {
        let count = Mutex(0)
    }

    private func opened() throws -> (StoreConnection, Commits) {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(configuration: configuration)
        let commits = Commits()
        try queue.write { try $0.execute(sql: "CREATE TABLE number (value INTEGER PRIMARY KEY)") }
        // Not an observer of GRDB's, which sees the statements that GRDB executes. The connection keeps the counter.
        queue.inDatabase { db in
            _ = sqlite3_commit_hook(
                db.sqliteConnection,
                { commits in
                    if let commits {
                        Unmanaged<Commits>.fromOpaque(commits).takeUnretainedValue().count.withLock { $0 += 1 }
                    }
                    return 0
                }, Unmanaged.passRetained(commits).toOpaque())
        }
        return (StoreConnection(queue), commits)
    }

    private func insert(_ number: Int, _ connection: StoreConnection) throws {
        try connection.write { try $0.execute(cached: "INSERT INTO number VALUES (?)", arguments: [number]) }
    }

    private func numbers(_ connection: StoreConnection) throws -> [Int] {
        try connection.read { try Int.fetchAll($0, cached: "SELECT value FROM number ORDER BY value") }
    }

    @Test func `all parts of a turn share one commit, and what follows is done after it`() throws {
        let (connection, commits) = try opened()
        var seen: [Int] = []
        try connection.turn {
            for number in 1...200 {
                try connection.savepoint {
                    try insert(number, connection)
                    connection.afterCommit { seen.append(commits.count.withLock { $0 }) }
                }
            }
            #expect(try numbers(connection).count == 200 && seen.isEmpty)
        }
        #expect(seen == [Int](repeating: 1, count: 200))
    }

    @Test func `a part that fails changes nothing, and the others of its turn are kept`() throws {
        let (connection, commits) = try opened()
        var done: [Int] = []
        try connection.turn {
            for number in 1...50 {
                try? connection.savepoint {
                    try insert(number, connection)
                    connection.afterCommit { done.append(number) }
                    if number % 3 == 1 { throw WormholeError.unknownPeer }
                }
            }
        }
        let kept = (1...50).filter { $0 % 3 != 1 }
        #expect(try numbers(connection) == kept)
        #expect(done == kept && commits.count.withLock { $0 } == 1)
    }

    @Test func `a turn that fails changes nothing, and nothing follows from it`() throws {
        let (connection, _) = try opened()
        var done = 0
        #expect(throws: WormholeError.unknownPeer) {
            try connection.turn {
                try connection.savepoint {
                    try insert(1, connection)
                    connection.afterCommit { done += 1 }
                }
                throw WormholeError.unknownPeer
            }
        }
        #expect(try numbers(connection).isEmpty && done == 0)
    }

    @Test func `a turn that changes nothing makes no transaction`() throws {
        let (connection, commits) = try opened()
        let found = try connection.turn { try numbers(connection) }
        #expect(found.isEmpty && commits.count.withLock { $0 } == 0)
    }

    @Test func `calls of several tasks are made one after the other`() async throws {
        let (connection, _) = try opened()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...100 {
                group.addTask {
                    try await connection.perform { connection in
                        try connection.turn {
                            try connection.write {
                                try $0.execute(cached: "INSERT INTO number VALUES (?)", arguments: [number])
                            }
                        }
                    }.get()
                }
            }
            try await group.waitForAll()
        }
        #expect(try numbers(connection).count == 100)
    }

    @Test func `a connection that is closed says so`() async throws {
        let (connection, _) = try opened()
        try connection.close()
        #expect(throws: WormholeError.closed) { try connection.write { _ in } }
        #expect(throws: WormholeError.closed) { try connection.turn { try connection.read { _ in } } }
        await #expect(throws: WormholeError.closed) { try await connection.perform { try $0.read { _ in } }.get() }
    }
}
