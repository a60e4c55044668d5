import CalDAV
import TestDoubles
import Testing

@testable import PhoneHost

/// Accounts of servers that want the password by Digest.
@Suite struct DigestAccountTests {
    private let server = InMemoryCalendarServer()

    private func sync(
        _ phone: SyncedPhone, over front: ChallengingServer, password: String = "secret"
    ) async throws -> AccountSync.Report {
        let account = try #require(try await phone.store.accounts().first)
        return try await AccountSync(phone.store, account, over: front, password: password).run()
    }

    @Test func `a list is in step with a server that wants Digest`() async throws {
        let phone = try await SyncedPhone(server)
        let front = ChallengingServer(server, offers: [.digest])
        try await phone.add("Milk", "Eggs")
        #expect(try await sync(phone, over: front).errors.isEmpty && server.items.count == 2)
        #expect(front.requests.dropFirst().allSatisfy { $0.login?.scheme == .digest })
    }

    @Test func `a wrong password stops, and deletes nothing`() async throws {
        let phone = try await SyncedPhone(server)
        let front = ChallengingServer(server, offers: [.digest])
        try await phone.add("Milk")
        #expect(try await sync(phone, over: front).errors.isEmpty)
        try await phone.add("Eggs")
        let report = try await sync(phone, over: front, password: "wrong")
        #expect(report.errors.first?.isTemporary == false && report.errors.count == 1)
        #expect(try await phone.titles == ["Eggs", "Milk"] && server.items.count == 1)
    }

    @Test(arguments: [AuthenticationScheme.basic, .digest])
    func `a new account finds its lists by either scheme`(scheme: AuthenticationScheme) async throws {
        let address = try WebAddress("http://localhost\(InMemoryCalendarServer.path)")
        let front = ChallengingServer(server, offers: [scheme])
        let found = try await AccountSync.discover(address, over: front, user: "ann", password: "secret")
        #expect(found.place == .collection(address) && found.collections.count == 1)
    }
}
