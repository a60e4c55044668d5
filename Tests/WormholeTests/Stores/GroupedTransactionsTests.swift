import GRDB
import Testing

@testable import Wormhole

@Suite("Transactions that several callers share", .timeLimit(.minutes(5)))
struct GroupedTransactionsTests {
    private func opened() async throws -> (GroupedTransactions, Recorder<Int>) {
        let queue = try DatabaseQueue()
        let commits = Recorder<Int>()
        try await queue.write { try $0.execute(sql: "CREATE TABLE number (value INTEGER PRIMARY KEY)") }
        queue.add(transactionObserver: CommitCounter(commits), extent: .databaseLifetime)
        return (GroupedTransactions(queue, path: "test"), commits)
    }

    @Test("Changes that come while one is committed share the next commit, in the order in which they came")
    func grouped() async throws {
        let (transactions, commits) = try await opened()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...200 {
                group.addTask {
                    try await transactions.write { db in
                        try db.execute(cached: "INSERT INTO number VALUES (?)", arguments: [number])
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await transactions.read { try Int.fetchOne($0, cached: "SELECT count(*) FROM number") } == 200)
        #expect((1..<200).contains(commits.all.count))
    }

    @Test("One that fails changes nothing, and the others of its transaction are kept")
    func failure() async throws {
        let (transactions, _) = try await opened()
        let outcomes = await withTaskGroup(of: (Int, Bool).self) { group in
            for number in 1...50 {
                group.addTask {
                    let made: Void? = try? await transactions.write { db in
                        try db.execute(cached: "INSERT INTO number VALUES (?)", arguments: [number])
                        if number.isMultiple(of: 3) { throw WormholeError.unknownPeer }
                    }
                    return (number, made != nil)
                }
            }
            return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let kept = try await transactions.read { try Int.fetchAll($0, cached: "SELECT value FROM number") }
        #expect(kept.sorted() == (1...50).filter { !$0.isMultiple(of: 3) })
        #expect(outcomes.filter(\.value).keys.sorted() == kept.sorted())
    }

    @Test("Whoever waits when it is closed learns so")
    func closed() async throws {
        let (transactions, _) = try await opened()
        await transactions.close()
        await #expect(throws: WormholeError.closed) { try await transactions.write { _ in } }
        await #expect(throws: WormholeError.closed) { try await transactions.read { _ in } }
    }
}

/// Counts the commits of a database.
private final class CommitCounter: TransactionObserver {
    private let commits: Recorder<Int>

    init(_ commits: Recorder<Int>) {
        self.commits = commits
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
    func databaseDidChange(with event: DatabaseEvent) {}
    func databaseDidCommit(_ db: Database) { commits.append(1) }
    func databaseDidRollback(_ db: Database) {}
}
