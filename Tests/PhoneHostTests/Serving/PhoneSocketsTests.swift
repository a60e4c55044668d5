import Foundation
import TestSupport
import Testing
import Wormhole

@testable import PhoneHost

@Suite(.timeLimit(.minutes(60))) struct PhoneSocketsTests {
    let directory: TemporaryDirectory
    let path: String
    let sockets: String

    init() throws {
        directory = TemporaryDirectory()
        path = directory.file("phone.sqlite")
        sockets = directory.file("sockets")
    }

    /// Starts a host on real Unix sockets and a watch, and waits until the watch has its list.
    private func serve(_ store: PhoneStore) async throws -> (PhoneServer, FakeWatch) {
        let server = PhoneServer(
            store: store, sockets: try PhoneSockets(in: sockets, database: path), name: "Phone", logger: .silent)
        try await server.start()
        let watch = FakeWatch(UnixConnector(path: "\(sockets)/watch.sock"), name: "A")
        try await watch.endpoint.start()
        await watch.wait { $0.clears == 1 }
        return (server, watch)
    }

    /// Adds an item while `notifier` is connected, and waits until the watch has it. Then stops the watch and the
    /// server.
    private func addMilk(
        during notifier: borrowing ChangeNotifier, _ server: PhoneServer, _ watch: FakeWatch
    ) async throws {
        try await PhoneStore(path: path).add(try drafts("Milk"))
        notifier.finish()
        await watch.wait { $0.titles == ["Milk"] }
        await watch.endpoint.close()
        await server.stop()
    }

    private func error(_ body: () throws -> Void) -> PhoneError? {
        #expect(throws: PhoneError.self, performing: body)
    }

    @Test func `a database and a directory are served by one at a time`() throws {
        let first = try PhoneSockets(in: sockets, database: path)
        #expect(error { _ = try PhoneSockets(in: sockets, database: path) } == .alreadyServed(process: getpid()))
        #expect(
            error { _ = try PhoneSockets(in: sockets, database: directory.file("other.sqlite")) }
                == .alreadyServed(process: getpid()))
        #expect(
            error { _ = try PhoneSockets(in: directory.file("elsewhere"), database: path) }
                == .alreadyServed(process: getpid()))
        first.close()
    }

    @Test func `a database is served once, by whatever name`() throws {
        let first = try PhoneSockets(in: sockets, database: path)
        let (link, name) = (directory.file("link.sqlite"), directory.file("name.sqlite"))
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        try FileManager.default.linkItem(atPath: path, toPath: name)
        for other in [link, name] {
            #expect(
                error { _ = try PhoneSockets(in: directory.file("elsewhere"), database: other) }
                    == .alreadyServed(process: getpid()))
        }
        try FileManager.default.moveItem(atPath: path, toPath: directory.file("moved.sqlite"))
        #expect(
            error { _ = try PhoneSockets(in: directory.file("elsewhere"), database: directory.file("moved.sqlite")) }
                == .alreadyServed(process: getpid()))
        first.close()
    }

    @Test func `a host that starts during a change notices it too`() async throws {
        let store = try PhoneStore(path: path)
        let notifier = ChangeNotifier(sockets: sockets)
        let (server, watch) = try await serve(store)
        try await addMilk(during: notifier, server, watch)
    }

    @Test func `a host that replaces another during a change notices it too`() async throws {
        let store = try PhoneStore(path: path)
        var predecessor: PhoneSockets? = try PhoneSockets(in: sockets, database: path)
        let notifier = ChangeNotifier(sockets: sockets)
        predecessor?.close()
        predecessor = nil
        let (server, watch) = try await serve(store)
        // The watch already has the list without the new item. Only the notifier can make the host send the change.
        await server.settled()
        try await addMilk(during: notifier, server, watch)
    }
}
