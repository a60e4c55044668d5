import Foundation
import GRDB
import TestSupport
import Testing
import WatchLink

@testable import PhoneHost
@testable import Wormhole

@Suite struct ValueOutOfRangeTests {
    let watch = PeerIdentity(rawValue: 0xF00D_0000_0000_0001)
    let directory: TemporaryDirectory
    let path: String

    init() throws {
        directory = TemporaryDirectory()
        path = directory.file("phone.sqlite")
    }

    /// Creates a store that has a row in every table.
    private func filledStore(at path: String) async throws -> PhoneStore {
        let store = try PhoneStore(path: path)
        let items = try await store.add(try drafts("Milk", "Eggs", "Rye")).items
        let messages = MessageStore(store)
        _ = try messages.resume(watch, handshake: hello, newEpoch: 50)
        try messages.beginRun(store.dependencies)
        try await store.write { [watch] db in
            try RunTable.remember(db, StreamRun(epoch: 2, queued: 1), of: watch)
            try db.execute(sql: "INSERT INTO forgotten (watch, queuedApplied) VALUES (8, 1)")
        }
        let _: ApplyOutcome = try messages.apply(check(items[0].id.rawValue, sequence: 1))
        _ = try messages.replace("n", with: [1], for: .only(watch))
        try messages.add(
            TransferRecord(
                transfer: 5, peer: watch, label: "photo.pbm", path: "/photo.pbm", length: 1,
                hash: [UInt8](repeating: 7, count: 32), metadata: nil, state: .waiting))
        return store
    }

    private var hello: PeerHandshake {
        var hello = Hello(role: .watch, identity: watch.rawValue, epoch: 3, limits: LinkLimits(largestSDU: 512))
        (hello.knownEpoch, hello.queuedFloor, hello.queuedIssued) = (50, 1, 1)
        hello.report = .rows(check: 1)
        return PeerHandshake(hello: hello, largestBody: 500)
    }

    private func check(_ item: UInt32, sequence: UInt32) throws -> InboundMessage {
        let payload = try MessageEncoder().encode(FakeWatch.Check(item: item, localTime: 5, tap: sequence))
        return InboundMessage(
            peer: watch, epoch: 3, sequence: sequence, content: .queued(MessageName(.check), payload: payload))
    }

    /// Does everything that a host does with its database. Returns the errors of all steps that fail.
    private func useEverything(_ store: PhoneStore) async throws -> [any Error] {
        let messages = MessageStore(store)
        let watch = watch
        let check = try check(1, sequence: 2)
        let reload = InboundMessage(
            peer: watch, epoch: 3, sequence: 3,
            content: .queued(MessageName(.reload), payload: try MessageEncoder().encode(FakeWatch.Reload(token: 1))))
        let steps: [() async throws -> Void] = [
            { _ = try await store.contents() }, { _ = try await store.lists() }, { _ = try await store.history() },
            { _ = try await store.watches() }, { _ = try messages.identity(proposal: 1) },
            { _ = try messages.peers() }, { _ = try messages.issued(to: watch) },
            { _ = try messages.queued(1, to: watch) }, { _ = try messages.value(after: 0, for: watch) },
            { _ = try messages.namesWithValue() }, { _ = try messages.currentValue(under: "n") },
            { _ = try await store.feed([watch]) },
            { try messages.acknowledged(Acknowledgement(queued: 1, latest: 1), by: watch) },
            { let _: ApplyOutcome = try messages.apply(check) }, { let _: ApplyOutcome = try messages.apply(reload) },
            { [hello] in _ = try messages.resume(watch, handshake: hello, newEpoch: 51) },
            { [self] in
                guard let item = try await store.contents().items.first else { return }
                let _: ApplyOutcome = try messages.apply(try self.check(item.id.rawValue, sequence: 4))
            },
            { _ = try messages.transfers() }, { try messages.begun(5) },
            { try messages.beginRun(store.dependencies) }, { _ = try await store.add(try drafts("Tea")) },
            { try await store.activate("Else") },
        ]
        var errors: [any Error] = []
        for step in steps {
            do { try await step() } catch { errors.append(error) }
        }
        return errors
    }

    private static let tables = [
        "host", "list", "item", "history", "endpoint", "peer", "watch", "message", "value", "mailbox",
        "formerRun", "pastRun", "forgotten", "transfer", "passedValue",
    ]

    @Test(arguments: tables) func `no value of a number ends the process`(table: String) async throws {
        try await fillTemplate()
        for value: Int64 in [.min, -1, 0, 1 << 32, .max] {
            for column in try await columns(of: table, type: "INTEGER") {
                try await expectSurvival(table, column, value.databaseValue)
            }
        }
    }

    @Test(arguments: tables) func `no text ends the process`(table: String) async throws {
        try await fillTemplate()
        let long = String(repeating: "long ", count: 1_000)
        for value in ["", "\u{1B}[2J\u{0}", long, "checked"] {
            for column in try await columns(of: table, type: "TEXT") {
                try await expectSurvival(table, column, value.databaseValue)
            }
        }
    }

    private func columns(of table: String, type: String) async throws -> [String] {
        let store = try PhoneStore(path: directory.file("empty.sqlite"))
        defer { try? store.close() }
        return try await store.read { db in
            try db.columns(in: table).filter { $0.type == type }.map(\.name)
        }
    }

    private var template: String { directory.file("template.sqlite") }

    private func fillTemplate() async throws {
        try await filledStore(at: template).close()
    }

    private func expectSurvival(_ table: String, _ column: String, _ value: DatabaseValue) async throws {
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.copyItem(atPath: template, toPath: path)
        let raw = try DatabaseQueue(path: path)
        try await raw.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF")
            // Changes only one row, because several rows cannot have the same key.
            try db.execute(
                sql: """
                    UPDATE OR IGNORE \(table) SET "\(column)" = ?
                    WHERE "\(column)" IN (SELECT max("\(column)") FROM \(table))
                    """, arguments: [value])
        }
        try raw.close()
        let opened = try PhoneStore(path: path)
        for error in try await useEverything(opened) {
            let words = "\(error)"
            #expect(!words.isEmpty && words.count < 400, "\(table).\(column) = \(value): \(words)")
            #expect(!words.contains("\n"), "\(table).\(column) = \(value): \(words)")
        }
        try opened.close()
    }

    @Test func `an error names table, column and value`() async throws {
        let store = try await filledStore(at: path)
        try await store.write { try $0.execute(sql: "UPDATE peer SET peerEpoch = 4294967296") }
        let error = PhoneError.damagedValue(path: path, table: "peer", column: "peerEpoch", value: "4294967296")
        #expect(throws: WormholeError.storage(error.description)) {
            _ = try MessageStore(store).resume(watch, handshake: hello, newEpoch: 51)
        }
        #expect(error.description.contains("table peer, column peerEpoch: 4294967296"))
    }
}
