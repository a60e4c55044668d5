import CalDAV
import CalDAVTesting
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

    @Test func `a server that changes to Digest is known to want it from the next sync on`() async throws {
        let phone = try await SyncedPhone(server)
        let front = ChallengingServer(server, offers: [.digest], usesOfNonce: 3)
        try await phone.add("Milk", "Eggs")
        #expect(try await sync(phone, over: front).errors.isEmpty && server.items.count == 2)
        #expect(try await phone.store.accounts().first?.scheme == .digest)
        let before = front.requests.count
        #expect(try await sync(phone, over: front).errors.isEmpty)
        let headers = front.requests.dropFirst(before).map { $0.headers["Authorization"] ?? "none" }
        #expect(
            headers.first == "none" && headers.dropFirst().allSatisfy { $0.hasPrefix("Digest ") } && headers.count > 1)
    }

    @Test func `a wrong password stops, and deletes nothing`() async throws {
        let phone = try await SyncedPhone(server)
        let front = ChallengingServer(server, offers: [.digest])
        try await phone.add("Milk")
        #expect(try await sync(phone, over: front).errors.isEmpty)
        try await phone.add("Eggs")
        let report = try await sync(phone, over: front, password: "wrong")
        #expect(report.errors.first?.remedy == .owner && report.errors.count == 1)
        #expect(try await phone.titles == ["Eggs", "Milk"] && server.items.count == 1)
    }

    @Test func `who adds an account finds its lists and how the server wants the password`() async throws {
        let address = try WebAddress("http://localhost\(InMemoryCalendarServer.path)")
        for scheme in [AuthenticationScheme.basic, .digest] {
            let front = ChallengingServer(server, offers: [scheme])
            let found = try await AccountSync.discover(address, over: front, user: "ann", password: "secret")
            #expect(found.scheme == scheme && found.place == .collection(address) && found.collections.count == 1)
        }
        #expect(try await AccountSync.discover(address, over: server, user: nil, password: nil).scheme == .basic)
    }
}
