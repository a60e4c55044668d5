import Foundation
import GRDB
import Testing

@testable import Wormhole

/// SQLite plays the log of a killed program onto whatever lies in the place of its database. `LogMarkTests` of the phone has more of
/// what marks tell apart.
@Suite("The log of a message store", .timeLimit(.minutes(60)))
struct StoreLogTests {
    private let watch = PeerIdentity(rawValue: 77)
    private let directory = TemporaryDirectory()
    private var path: String { directory.path(of: "store") }

    private func open() async throws -> MessageStore {
        let store = try MessageStore(path: path, durability: .processCrash)
        _ = try await store.resume(watch, handshake: nil, newEpoch: 3)
        return store
    }

    private func append(_ number: UInt8, to store: MessageStore) async throws {
        _ = try await store.append(OutboundMessage(name: "m", payload: [number]), to: watch)
    }

    private func copy(_ name: String, to other: String) throws {
        try? FileManager.default.removeItem(atPath: directory.path(of: other))
        try FileManager.default.copyItem(atPath: directory.path(of: name), toPath: directory.path(of: other))
    }

    private func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: directory.path(of: name))) }

    @Test(
        "An older copy beside the log of a killed program is refused in a line that says what to do, and neither is changed"
    )
    func foreignLog() async throws {
        let first = try await open()
        try await append(1, to: first)
        await first.close()
        try copy("store", to: "old")
        let second = try await open()
        try await append(2, to: second)
        await second.close()
        let third = try await open()
        try await append(3, to: third)
        // As a kill leaves them, with the older file put in the place of the database.
        try copy("old", to: "killed")
        try copy("store-wal", to: "killed-wal")
        let killed = directory.path(of: "killed")
        let (file, log) = (try bytes("killed"), try bytes("killed-wal"))
        let expected = WormholeError.storage(LogFault.foreignLog(path: killed).description)
        #expect(throws: expected) { try MessageStore(path: killed) }
        #expect(expected.description.contains("move \(killed)-wal"))
        #expect(try bytes("killed") == file && bytes("killed-wal") == log)
        // Without the log it is as it was.
        try FileManager.default.removeItem(atPath: killed + "-wal")
        let old = try MessageStore(path: killed)
        #expect(try await old.issued(to: watch).queued == 1)
        await old.close()
        await third.close()
    }

    @Test("A log without its file is not deleted")
    func logAlone() async throws {
        let store = try await open()
        try await append(1, to: store)
        try copy("store-wal", to: "killed-wal")
        let killed = directory.path(of: "killed")
        let expected = WormholeError.storage(LogFault.logWithoutFile(path: killed).description)
        #expect(throws: expected) { try MessageStore(path: killed) }
        #expect(try bytes("killed-wal") == bytes("store-wal"))
        await store.close()
    }

    @Test("A file that is written over while it is in use is written to no more, and keeps what was put there")
    func replaced() async throws {
        let first = try await open()
        try await append(1, to: first)
        await first.close()
        let old = try bytes("store")
        let second = try await open()
        try await append(2, to: second)
        await second.close()
        let store = try await open()
        try await append(3, to: store)
        let file = try FileHandle(forWritingTo: URL(filePath: path))
        try file.write(contentsOf: old)
        try file.close()
        let expected = WormholeError.storage(LogFault.databaseReplaced(path: path).description)
        await #expect(throws: expected) { try await append(4, to: store) }
        await store.close()
        #expect(try bytes("store").prefix(old.count) == old)
    }

    @Test("A store of the first version is marked when it is opened, and its messages stay")
    func migrated() async throws {
        let store = try await open()
        try await append(1, to: store)
        await store.close()
        let other = try DatabaseQueue(path: path)
        try await other.write { db in
            try db.execute(
                sql: """
                    DROP TABLE logMark; DROP TABLE passedValue; ALTER TABLE transfer DROP COLUMN owner;
                    PRAGMA user_version = 0;
                    DELETE FROM grdb_migrations WHERE identifier NOT LIKE '1 %'
                    """
            )
        }
        try other.close()
        let again = try await open()
        #expect(try await again.issued(to: watch).queued == 1)
        try await append(2, to: again)
        #expect(try await again.transactions.read { try Int32.fetchOne($0, sql: "PRAGMA user_version") ?? 0 } != 0)
        await again.close()
    }

    @Test("Closing twice does nothing")
    func closedTwice() async throws {
        let store = try await open()
        try await append(1, to: store)
        for _ in 0..<3 { await store.close() }
        await #expect(throws: WormholeError.closed) { try await append(2, to: store) }
    }
}
