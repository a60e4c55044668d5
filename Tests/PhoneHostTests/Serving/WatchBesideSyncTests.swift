import CalDAV
import TestDoubles
import TestSupport
import Testing
import WatchLink
import Wormhole
import WormholeTesting

@testable import PhoneHost

/// Tests that a check-off on a watch never waits for a calendar server. While a sync waits, the phone stores and
/// acknowledges the check-off, and sends it to the other watches.
@Suite(.timeLimit(.minutes(60))) struct WatchBesideSyncTests {
    private let link = InMemoryLink()
    private let directory: TemporaryDirectory
    private let store: PhoneStore
    private let host: PhoneServer
    private let watches: [FakeWatch]

    init() async throws {
        directory = TemporaryDirectory()
        store = try PhoneStore(path: directory.file("phone.sqlite"))
        host = PhoneServer(
            store: store, watches: link.listener, control: InMemoryLink().listener, name: "Phone", logger: .silent)
        watches = [FakeWatch(link.connector, name: "A"), FakeWatch(link.connector, name: "B")]
        try await store.add(try drafts("1", "2", "3", "4", "5", "6", "7", "8"))
        try await host.start()
        for watch in watches {
            try await watch.endpoint.start()
            await watch.wait { $0.titles.count == 8 }
        }
    }

    private func end() async {
        for watch in watches { await watch.endpoint.close() }
        await host.stop()
    }

    /// Checks an item off on the first watch. Waits until the other watch has the change and the phone has acknowledged
    /// it, and expects that it is stored.
    private func checkOff(_ title: String, tap: UInt32) async throws {
        try await watches[0].check(title, tap: tap)
        await watches[1].wait { !$0.titles.contains(title) }
        while !(try await watches[0].endpoint.outstanding()).isEmpty { await Task.yield() }
        #expect(try await store.contents().items.first { $0.title == title }?.state.isOpen == false)
    }

    private func sync(_ address: String, over transport: any HTTPTransport) async throws -> Task<
        AccountSync.Report, any Error
    > {
        let place = try WebAddress(address)
        var account = CalendarAccount(address: address, user: "ann", certificate: nil, place: .collection(place))
        account.number = try await store.add(account)
        let sync = AccountSync(store, account, over: transport, password: "secret")
        return Task { try await sync.run() }
    }

    @Test func `a check-off passes while the server accepts and never answers`() async throws {
        let server = try StubbornServer(.never)
        let transport = CurlTransport()
        let sync = try await sync(server.address, over: transport)
        while !server.isAsked { await Task.yield() }
        try await checkOff("1", tap: 1)
        // Only this call ends the request.
        transport.stop()
        #expect(try await sync.value.errors == [.stopped])
        server.close()
        await end()
    }

    @Test func `a check-off passes in the middle of an answer of 100 MB, after 32 MB are read`() async throws {
        let server = try StubbornServer(.long(100 << 20))
        let sync = try await sync(server.address, over: CurlTransport())
        while !server.isAsked { await Task.yield() }
        try await checkOff("1", tap: 1)
        server.goOn()
        try await checkOff("2", tap: 2)
        #expect(try await sync.value.errors == [.tooLarge(megabytes: 32)])
        server.close()
        await end()
    }

    @Test func `check-offs pass during each request of a sync with a slow server`() async throws {
        let calendar = InMemoryCalendarServer()
        let transport = HeldTransport(calendar)
        let list = try await store.contents().name
        calendar.put(todo("third", "From the server"), at: InMemoryCalendarServer.path + "third.ics")
        let sync = try await sync("http://localhost\(InMemoryCalendarServer.path)", over: transport)
        // The sync makes three requests: for the collection's properties, for the changes, and for the text of the
        // changed item.
        for number in 1...3 {
            await transport.isWaiting(number)
            try await checkOff("\(number)", tap: UInt32(number))
            transport.answer()
        }
        #expect(try await sync.value.errors.isEmpty)
        let done = try await store.contents(of: list).items.filter { !$0.state.isOpen }.map(\.title)
        #expect(done.sorted() == ["1", "2", "3"])
        await end()
    }
}
