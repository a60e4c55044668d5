import CalDAV
import Foundation
import Synchronization
import TestDoubles
import Testing

@testable import PhoneHost

@Suite struct PublishedListTests {
    private let server = InMemoryCalendarServer()

    private func phone(seed: UInt64 = 1) async throws -> SyncedPhone {
        let phone = try await SyncedPhone(server, seed: seed, .home)
        try await phone.store.add(["Tent", "Stove"].map { ItemDraft(title: try CleanTitle($0)) }, to: "Camping")
        return phone
    }

    private func publish(
        _ phone: SyncedPhone, to account: String? = nil, over transport: (any HTTPTransport)? = nil
    ) async throws -> Result<PublishedList, CalDAVError> {
        let passwords = AccountPasswords(file: PasswordsInMemory(), keyring: PasswordsInMemory())
        let keeper = AccountKeeper(phone.store, passwords: passwords) { _ in transport ?? server }
        return try await keeper.publish("Camping", to: account)
    }

    private var made: [String] {
        server.collections.filter { $0.value == "Camping" }.map(\.key)
    }

    private func titles(_ phone: SyncedPhone) async throws -> [String] {
        try await phone.store.contents(of: "Camping").items
            .map { $0.title + ($0.state.isOpen ? "" : " ✓") }.sorted()
    }

    private func fault(_ body: () async throws -> Void) async -> PhoneError? {
        do { try await body() } catch { return error as? PhoneError }
        return nil
    }

    @Test func `open and checked items are on the server and on another phone`() async throws {
        let ann = try await phone()
        let tent = try #require(try await ann.store.contents(of: "Camping").items.first)
        try await ann.store.apply(ListEdit(item: tent.id, action: .check(at: ann.steps.now)), origin: .command)
        let published = try await publish(ann).get()
        let path = try #require(made.first)
        #expect(published.address == "http://localhost\(path)" && path.hasPrefix("/ann/camping-"))
        #expect(published.report.lists.first { $0.name == "Camping" }?.round.sent == 2)
        let bob = try await SyncedPhone(server, seed: 2, .home)
        try await bob.sync()
        #expect(try await titles(bob) == ["Stove", "Tent ✓"])
        #expect(try await ann.sync().lists.allSatisfy { $0.waiting == 0 && $0.round.end == .complete })
        let again = await fault { _ = try await publish(ann) }
        #expect(again == .account(.connected(list: "Camping", address: published.address)))
    }

    @Test(arguments: [
        (InMemoryCalendarServer.Fault.lostAnswer, HTTPRequest.Method.mkcalendar), (.silent, .mkcalendar),
        (.silent, .propfind), (.halfAnswer, .propfind), (.silent, .put), (.status(503), .mkcalendar),
    ])
    func `an interruption makes no second collection, and the next try completes it`(
        fault: InMemoryCalendarServer.Fault, method: HTTPRequest.Method
    ) async throws {
        let ann = try await phone()
        server.fail(fault, method)
        let first = try await publish(ann)
        if case .success(let published) = first {
            // The list is connected to the new collection, but some items are not sent yet.
            #expect(published.report.lists.contains { $0.error != nil })
            try await ann.sync()
        } else {
            _ = try await publish(ann).get()
        }
        #expect(made.count == 1)
        #expect(try await titles(ann) == ["Stove", "Tent"] && server.items.count == 2)
        #expect(try await ann.store.lists().map(\.name).sorted() == ["Camping", "Food", "Shopping"])
    }

    @Test(arguments: ["Camping", "Summer"])
    func `a sync finds what was made before an interruption, though it was renamed`(name: String) async throws {
        let ann = try await phone()
        server.fail(.lostAnswer, .mkcalendar)
        #expect(try await publish(ann) == .failure(.silent))
        server.make(try #require(made.first), name)
        try await ann.sync()
        #expect(server.items.count == 2 && server.collections.count == 2)
        #expect(try await ann.store.lists().map(\.name).sorted() == ["Camping", "Food", "Shopping"])
        #expect(await fault { _ = try await publish(ann) } != nil, "it is there")
    }

    @Test(arguments: [400, 403, 405, 409, 501])
    func `where MKCALENDAR is refused MKCOL is tried, and where both are it says so`(status: Int) async throws {
        let ann = try await phone()
        server.fail(.status(status), .mkcalendar)
        server.fail(.status(403), .mkcol)
        guard case .failure(.noNewList) = try await publish(ann) else {
            Issue.record("both were refused")
            return
        }
        #expect(made.isEmpty)
        server.fail(.status(status), .mkcalendar)
        _ = try await publish(ann).get()
        #expect(made.count == 1 && server.items.count == 2)
    }

    @Test func `an address that is taken is left for another`() async throws {
        let ann = try await phone()
        let taken = Mutex<String?>(nil)
        let transport = ScriptedTransport { request in
            if request.method == .mkcalendar, taken.withLock({ $0 == nil }) {
                taken.withLock { $0 = request.address.path }
                server.make(request.address.path, "Not ours")
            }
            return server.answer(request)
        }
        _ = try await publish(ann, over: transport).get()
        #expect(made.count == 1 && made.first != taken.withLock { $0 })
        #expect(try await titles(ann) == ["Stove", "Tent"])
    }

    @Test func `without a connection nothing is half done`() async throws {
        let ann = try await phone()
        let offline = ScriptedTransport { _ in .failure(.unreachable(reason: "no route")) }
        #expect(try await publish(ann, over: offline) == .failure(.unreachable(reason: "no route")))
        let other = try WebAddress("http://localhost/bob/")
        let number = try await ann.store.add(
            CalendarAccount(address: other.text, user: nil, certificate: nil, place: .home(other)))
        // The failed attempt does not tie the list to the first account.
        #expect(try await publish(ann, to: "\(number)", over: offline) == .failure(.unreachable(reason: "no route")))
        let which = await fault { _ = try await publish(ann) }
        #expect(which == .account(.several(accounts: ["1 (http://localhost/ann/)", "2 (http://localhost/bob/)"])))
        _ = try await publish(ann, to: "1").get()
        #expect(made.count == 1)
    }

    @Test func `a list that may be on one server is not put on another`() async throws {
        let ann = try await phone()
        server.fail(.silent, .mkcalendar)
        #expect(try await publish(ann) == .failure(.silent))
        let other = try WebAddress("http://localhost/bob/")
        _ = try await ann.store.add(
            CalendarAccount(address: other.text, user: nil, certificate: nil, place: .home(other)))
        let refusal = await fault { _ = try await publish(ann, to: "2") }
        #expect(refusal == .account(.begun(list: "Camping", address: "http://localhost/ann/")))
    }

    @Test func `what cannot be put anywhere says what to do`() async throws {
        let single = try await SyncedPhone(server)
        try await single.store.activate("Camping")
        let address = single.account.address
        #expect(await fault { _ = try await publish(single) } == .account(.singleCollection(address: address)))
        try await single.store.removeAccount(single.account.number)
        #expect(await fault { _ = try await publish(single) } == .account(.none))
        let ann = try await SyncedPhone(server, .home)
        #expect(
            await fault { _ = try await publish(ann) } == .noSuchList(name: "Camping", known: ["Shopping"]))
        #expect(await fault { _ = try await publish(ann, to: "9") } == .account(.unknown(query: "9")))
    }

    @Test func `a list whose collection was removed on the server is put there anew`() async throws {
        let ann = try await phone()
        _ = try await publish(ann).get()
        let first = try #require(made.first)
        server.unmake(first)
        try await ann.sync()
        #expect(try await titles(ann) == ["Stove", "Tent"])
        _ = try await publish(ann).get()
        #expect(made.count == 1 && made.first != first && server.items.count == 2)
        #expect(try await titles(ann) == ["Stove", "Tent"])
    }
}

extension PublishedList: Equatable {
    /// Compares the list and its address, not the account or the report.
    public static func == (first: PublishedList, second: PublishedList) -> Bool {
        first.list == second.list && first.address == second.address
    }
}
