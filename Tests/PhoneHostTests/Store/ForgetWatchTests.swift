import Foundation
import GRDB
import TestSupport
import Testing
import WatchLink
import Wormhole
import WormholeTesting

@testable import PhoneHost

@Suite(.timeLimit(.minutes(60))) struct ForgetWatchTests {
    let directory: TemporaryDirectory
    let store: PhoneStore
    let radioLink = InMemoryLink()
    let control = InMemoryLink()
    let log = RecordedLog()

    init() throws {
        directory = TemporaryDirectory()
        store = try PhoneStore(path: directory.file("phone.sqlite"))
    }

    private func serve() async throws -> PhoneServer {
        let server = PhoneServer(
            store: store, watches: radioLink.listener, control: control.listener, logger: log.logger(.info))
        try await server.start()
        return server
    }

    private func rows(about watch: UInt64) async throws -> [String: Int] {
        try await store.read { db in
            let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
            var counts: [String: Int] = [:]
            for table in tables {
                for column in try db.columns(in: table).map(\.name)
                where ["watch", "peer", "identity"].contains(column) {
                    let count = try Int.fetchOne(
                        db, sql: "SELECT count(*) FROM \(table) WHERE \(column) = ?",
                        arguments: [Int64(bitPattern: watch)])
                    counts[table, default: 0] += count ?? 0
                }
            }
            return counts.filter { $0.value > 0 }
        }
    }

    @Test func `nothing of a watch is left but its history, and the others keep everything`() async throws {
        try await store.add(try drafts("Milk", "Eggs"))
        let server = try await serve()
        let (one, other) = (
            FakeWatch(radioLink.connector, name: "One"), FakeWatch(radioLink.connector, name: "Other")
        )
        try await one.endpoint.start()
        try await other.endpoint.start()
        await one.wait { $0.titles == ["Milk", "Eggs"] }
        await other.wait { $0.titles == ["Milk", "Eggs"] }
        try await one.check("Milk")
        await other.wait { $0.titles == ["Eggs"] }
        await one.endpoint.close()
        await other.endpoint.close()
        await server.stop()
        let watches = try await store.watches()
        let identity = try #require(watches.first { $0.name == "One" }).identity
        let kept = try #require(watches.first { $0.name == "Other" }).identity
        let before = try await rows(about: kept)
        #expect(try await rows(about: identity).count > 1)
        let forgotten = try await store.forgetWatch("one")
        #expect(forgotten.identity == identity)
        #expect(try await rows(about: identity) == ["history": 1, "forgotten": 1])
        let applied = try await store.read { try Int.fetchAll($0, sql: "SELECT queuedApplied FROM forgotten") }
        #expect(applied == [1], "a check-off that was applied is not applied again when the watch comes back")
        #expect(try await rows(about: kept) == before)
        #expect(try await store.watches().map(\.name) == ["Other"])
    }

    @Test func `a watch that is connected is let go, and comes back as a new one with the whole list`() async throws {
        try await store.add(try drafts("Milk"))
        let server = try await serve()
        let watch = FakeWatch(radioLink.connector, name: "One")
        try await watch.endpoint.start()
        await watch.wait { $0.titles == ["Milk"] }
        let epoch = try await store.read { try Int.fetchOne($0, sql: "SELECT epoch FROM peer") }
        let connection = try await control.announceChange()
        let forgotten = try await PhoneStore(path: store.path).forgetWatch("One")
        connection.close()
        await log.waitForLine { $0.message == "watch \(PeerIdentity(rawValue: forgotten.identity)) was forgotten" }
        try await store.add(try drafts("Eggs"))
        await watch.wait { $0.titles == ["Milk", "Eggs"] }
        #expect(try await store.watches().map(\.identity) == [forgotten.identity])
        #expect(try await store.read { try Int.fetchOne($0, sql: "SELECT epoch FROM peer") } != epoch)
        await watch.endpoint.close()
        await server.stop()
    }

    private func record(_ identity: UInt64, _ name: String) -> WatchRecord {
        WatchRecord(identity: identity, name: name, lastMetAt: Date(timeIntervalSince1970: 0), waiting: 0)
    }

    @Test func `a watch is named by its identity, the beginning of it or its name`() throws {
        let watches = [record(0x1234_5678_9ABC_DEF0, "Anna"), record(0x1234_0000_0000_0001, "12345"), record(7, "")]
        #expect(try WatchRecord.find("123456789abcdef0", in: watches).name == "Anna")
        #expect(try WatchRecord.find("ANNA", in: watches).name == "Anna")
        #expect(try WatchRecord.find("12345", in: watches).name == "12345")
        #expect(try WatchRecord.find("123456", in: watches).name == "Anna")
        #expect(try WatchRecord.find("0000000000000007", in: watches).identity == 7)
        for query in ["", "123", "Bert", "zzzz"] {
            #expect(throws: PhoneError.noSuchWatch(query: query)) { try WatchRecord.find(query, in: watches) }
        }
        let error = #expect(throws: PhoneError.self) { try WatchRecord.find("1234", in: watches) }
        #expect(error?.description.contains("123456789abcdef0 \"Anna\" or 1234000000000001 \"12345\"") == true)
    }
}
