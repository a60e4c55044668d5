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

    /// Starts a server and a watch, and waits until the watch has its list.
    private func serve(
        _ store: PhoneStore? = nil, checkingEvery interval: Microseconds? = nil, _ clock: any LinkClock = SystemClock(),
        logger: Logger = .silent
    ) async throws -> (PhoneServer, FakeWatch) {
        let server = PhoneServer(
            store: store ?? self.store, watches: radioLink.listener, control: control.listener, name: "Phone",
            checkingEvery: interval, clock: clock, logger: logger)
        try await server.start()
        let watch = FakeWatch(radioLink.connector, name: "A")
        try await watch.endpoint.start()
        await watch.wait { $0.clears == 1 }
        return (server, watch)
    }

    private func end(_ server: PhoneServer, _ watch: FakeWatch) async {
        await watch.endpoint.close()
        await server.stop()
    }

    /// Changes the database as a command does, while a connection to the control socket announces the change.
    private func visit(_ change: (PhoneStore) async throws -> Void) async throws {
        let connection = try await control.announceChange()
        try await change(try PhoneStore(path: store.path))
        connection.close()
    }

    /// Whether the watch still has to acknowledge a message or a value.
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
        let (server, watch) = try await serve(impatient, clock)
        while await server.connectedWatches.isEmpty { await Task.yield() }
        await server.settled()
        // Waits for all acknowledgements. An acknowledgement that cannot be stored would end the link, and the next
        // link would update the watch without the retry.
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
        await end(server, watch)
    }

    @Test func `the log says that a watch is connecting, and then that it is connected`() async throws {
        let log = RecordedLog()
        let (server, watch) = try await serve(logger: log.logger())
        await end(server, watch)
        let words = log.messages.filter { $0.contains(" is connect") }.compactMap { $0.split(separator: " ").last }
        #expect(words.prefix(2) == ["connecting", "connected"])
    }

    @Test func `a program that holds connections to the control socket keeps no other change back`() async throws {
        let (server, watch) = try await serve()
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
        await end(server, watch)
    }

    @Test func `a change of a program that says nothing reaches every watch when the server looks again`() async throws
    {
        let clock = ManualClock()
        let (server, watch) = try await serve(checkingEvery: .seconds(1), clock)
        let program = try PhoneStore(path: store.path)
        _ = try await program.add(try drafts("Milk"))
        clock.advance(by: .seconds(1))
        await watch.wait { $0.titles == ["Milk"] }
        _ = try await program.add(try drafts("Eggs"))
        await clock.waitForSleeper(until: clock.now + .seconds(1))
        clock.advance(by: .seconds(1))
        await watch.wait { $0.titles == ["Milk", "Eggs"] }
        await end(server, watch)
    }

    @Test func `a note of later is pushed when its time comes, though nothing else happens`() async throws {
        let world = SteppedDependencies()
        let store = try PhoneStore(path: directory.file("later.sqlite"), dependencies: world.dependencies)
        let clock = ManualClock()
        let server = PhoneServer(
            store: store, watches: radioLink.listener, control: control.listener, clock: clock, logger: .silent)
        try await server.start()
        _ = try await store.add(try NoteDraft("Later", start: world.now.addingTimeInterval(90), relevance: 150))
        await server.listChanged()
        await server.settled()
        // The phone reads the wall clock once a minute. At the first reading, the note is not due yet.
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
        let (server, watch) = try await serve()
        await end(server, watch)
        await #expect(throws: PhoneError.self) { try await server.start() }
    }
}
