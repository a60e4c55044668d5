import Foundation
import GRDB
import Logging
import TestSupport
import Testing
import WatchLink
import Wormhole
import WormholeTesting

@testable import PhoneHost

@Suite(.timeLimit(.minutes(60))) struct PhoneServerTests {
    let directory: TemporaryDirectory
    let store: PhoneStore
    let radioLink = InMemoryLink()
    let control = InMemoryLink()

    init() throws {
        directory = TemporaryDirectory()
        store = try PhoneStore(path: directory.file("phone.sqlite"))
    }

    private func server(
        checkingEvery interval: Microseconds? = nil, _ clock: any LinkClock = SystemClock()
    ) -> PhoneServer {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return PhoneServer(
            store: store, watches: radioLink.listener, control: control.listener, name: "Phone",
            checkingEvery: interval, clock: clock, logger: logger)
    }

    /// Changes the database as a command does, with a connection to the control socket.
    private func visit(_ change: (PhoneStore) async throws -> Void) async throws {
        let connection = try await control.announceChange()
        try await change(try PhoneStore(path: store.path))
        connection.close()
    }

    /// Whether a watch has still to acknowledge something.
    private func isAcknowledging() async throws -> Bool {
        try await store.read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM peer WHERE acknowledged < issued
                        OR latestAcknowledged < (SELECT max(revision) FROM value))
                    """) == true
        }
    }

    @Test func `a change that could not be given to the watches is given to them a second later`() async throws {
        let clock = ManualClock()
        let impatient = try PhoneStore(path: store.path, dependencies: .system, busyTimeout: 0.05)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = PhoneServer(
            store: impatient, watches: radioLink.listener, control: control.listener, clock: clock, logger: logger)
        try await server.start()
        let watch = FakeWatch(radioLink.connector, name: "A")
        try await watch.endpoint.start()
        await watch.wait { $0.clears == 1 }
        while await server.connectedWatches.isEmpty { await Task.yield() }
        await server.settled()
        // An acknowledgement that cannot be stored ends the link, and the next one brings the watch up to date by itself.
        while try await isAcknowledging() { await Task.yield() }
        try await store.add(try drafts("Milk"))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: store.path, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        await server.listChanged()
        await server.settled()
        try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
        clock.advance(by: .seconds(1))
        await watch.wait { $0.titles == ["Milk"] }
        await watch.endpoint.close()
        await server.stop()
    }

    @Test func `a program that holds connections to the control socket keeps no other change back`() async throws {
        let server = server()
        try await server.start()
        let watch = FakeWatch(radioLink.connector, name: "A")
        try await watch.endpoint.start()
        await watch.wait { $0.clears == 1 }
        var held: [any DatagramTransport] = []
        for _ in 0..<ControlServer.mostConnections + 10 { held.append(try await control.announceChange()) }
        for connection in held.prefix(10) {
            await #expect(throws: WormholeError.self, "the oldest are ended") {
                while true { _ = try await connection.receive() }
            }
        }
        try await visit { _ = try await $0.add(try drafts("Milk")) }
        await watch.wait { $0.titles == ["Milk"] }
        for connection in held { connection.close() }
        await watch.endpoint.close()
        await server.stop()
    }

    @Test func `a change of a program that says nothing reaches every watch when the server looks again`() async throws
    {
        let clock = ManualClock()
        let server = server(checkingEvery: .seconds(1), clock)
        try await server.start()
        let watch = FakeWatch(radioLink.connector, name: "A")
        try await watch.endpoint.start()
        await watch.wait { $0.clears == 1 }
        let program = try PhoneStore(path: store.path)
        _ = try await program.add(try drafts("Milk"))
        clock.advance(by: .seconds(1))
        await watch.wait { $0.titles == ["Milk"] }
        _ = try await program.add(try drafts("Eggs"))
        await clock.waitForSleeper(until: clock.now + .seconds(1))
        clock.advance(by: .seconds(1))
        await watch.wait { $0.titles == ["Milk", "Eggs"] }
        await watch.endpoint.close()
        await server.stop()
    }

    @Test func `nothing is queued for a watch that is away, and it catches up when it is back`() async throws {
        let server = server()
        try await server.start()
        let watch = FakeWatch(radioLink.connector, name: "A")
        try await watch.endpoint.start()
        await watch.wait { $0.clears == 1 }
        radioLink.cut()
        while await !server.connectedWatches.isEmpty { await Task.yield() }
        let before = try await store.watches()[0]
        for number in 0..<20 {
            try await store.add(try drafts("item \(number)"))
            await server.listChanged()
        }
        await server.settled()
        #expect(try await store.watches()[0].waiting <= before.waiting)
        radioLink.restore()
        await watch.wait { $0.titles.count == 20 }
        #expect(watch.messages <= 3, "twenty changes came as one")
        await watch.endpoint.close()
        await server.stop()
    }

    @Test func `a check-off of an item that is gone is refused, and the watch is sent the list as it is`() async throws
    {
        let item = try await store.add(try drafts("Milk", "Eggs")).items[0].id
        let server = server()
        try await server.start()
        let watch = FakeWatch(radioLink.connector, name: "A")
        try await watch.endpoint.start()
        await watch.wait { $0.titles.count == 2 }
        try await visit {
            try await $0.apply(ListEdit(item: item, action: .remove(at: Date())), origin: .command)
        }
        await watch.wait { $0.titles == ["Eggs"] }
        let handle = try #require(try await watch.check(id: item.rawValue))
        #expect(await handle.finalFates().values.first == .failed(.rejected(.refused)))
        #expect(try await store.historyOfOldItems().map(\.event) == [.removed, .rejected])
        await watch.endpoint.close()
        await server.stop()
    }

    @Test func `a note of later is pushed when its time comes, though nothing else happens`() async throws {
        let world = SteppedDependencies()
        let store = try PhoneStore(path: directory.file("later.sqlite"), dependencies: world.dependencies)
        let clock = ManualClock()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let server = PhoneServer(
            store: store, watches: radioLink.listener, control: control.listener, clock: clock, logger: logger)
        try await server.start()
        _ = try await store.add(try NoteDraft("Later", start: world.now.addingTimeInterval(90), relevance: 150))
        await server.listChanged()
        await server.settled()
        // The wearer's clock is read once a minute, and says that it is too early.
        await clock.waitForSleeper(until: clock.now + .seconds(30))
        world.advance(seconds: 30)
        clock.advance(by: .seconds(60))
        await clock.waitForSleeper(until: clock.now + .seconds(10))
        #expect(try await store.face().notes.map(\.push) == [.wanted])
        world.advance(seconds: 60)
        clock.advance(by: .seconds(60))
        while try await store.face().notes.map(\.push) == [.wanted] { await Task.yield() }
        #expect(try await store.face().notes.map(\.push) == [.queued])
        await server.stop()
    }

    @Test func `a stopped server cannot be started again`() async throws {
        let server = server()
        try await server.start()
        await server.stop()
        await #expect(throws: PhoneError.self) { try await server.start() }
    }
}
