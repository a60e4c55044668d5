import GRDB
import GRDBSQLite
import Testing

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct GroupedTransactionsTests {
    private func opened() async throws -> (GroupedTransactions, Recorder<Int>) {
        let queue = try DatabaseQueue()
        let commits = Recorder<Int>()
        try await queue.write { try $0.execute(sql: "CREATE TABLE number (value INTEGER PRIMARY KEY)") }
        // Not an observer of GRDB's, which sees the statements that GRDB executes. The connection keeps the recorder.
        queue.inDatabase { db in
            _ = sqlite3_commit_hook(
                db.sqliteConnection,
                { recorder in
                    if let recorder { Unmanaged<Recorder<Int>>.fromOpaque(recorder).takeUnretainedValue().append(1) }
                    return 0
                }, Unmanaged.passRetained(commits).toOpaque())
        }
        return (GroupedTransactions(queue), commits)
    }

    @Test func `Changes that come while one is committed share the next commit, in the order in which they came`()
        async throws
    {
        let (transactions, commits) = try await opened()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...200 {
                group.addTask {
                    try await transactions.change { db in
                        try db.execute(cached: "INSERT INTO number VALUES (?)", arguments: [number])
                    }.get()
                }
            }
            try await group.waitForAll()
        }
        #expect(
            try await transactions.look { try Int.fetchOne($0, cached: "SELECT count(*) FROM number") }.get() == 200)
        #expect((1..<200).contains(commits.all.count))
    }

    @Test func `One that fails changes nothing, and the others of its transaction are kept`() async throws {
        let (transactions, _) = try await opened()
        let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
            for number in 1...50 {
                group.addTask {
                    let made: Void? = try? await transactions.change { db in
                        try db.execute(cached: "INSERT INTO number VALUES (?)", arguments: [number])
                        if number.isMultiple(of: 3) { throw WormholeError.unknownPeer }
                    }.get()
                    return (number, made != nil)
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let kept = try await transactions.look { try Int.fetchAll($0, cached: "SELECT value FROM number") }.get()
        #expect(kept.sorted() == (1...50).filter { !$0.isMultiple(of: 3) })
        #expect(outcomes.filter(\.value).keys.sorted() == kept.sorted())
    }

    @Test func `Where one of a group fails, the others are made again, and once in the end`() async throws {
        let (transactions, _) = try await opened()
        try await transactions.change { db in
            try db.execute(sql: "CREATE TABLE counter (value INTEGER); INSERT INTO counter VALUES (0)")
        }.get()
        let failures = await withTaskGroup(of: Bool.self) { group in
            for number in 1...200 {
                group.addTask {
                    let made: Void? = try? await transactions.change { db in
                        try db.execute(cached: "UPDATE counter SET value = value + 1")
                        if number.isMultiple(of: 10) { throw WormholeError.unknownPeer }
                    }.get()
                    return made == nil
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(failures == 20)
        #expect(try await transactions.look { try Int.fetchOne($0, cached: "SELECT value FROM counter") }.get() == 180)
    }

    @Test func `Whoever waits when it is closed learns so`() async throws {
        let (transactions, _) = try await opened()
        try transactions.close()
        await #expect(throws: WormholeError.closed) { try await transactions.change { _ in }.get() }
        await #expect(throws: WormholeError.closed) { try await transactions.look { _ in }.get() }
    }
}
