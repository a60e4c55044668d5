import CalDAVTesting
import Synchronization
import Testing

@testable import CalDAV

/// How a server gets the password: in the way that it asks for, in as few requests as that takes.
@Suite struct AccountClientTests {
    private let server = InMemoryCalendarServer()

    private func client(
        _ transport: any HTTPTransport, scheme: AuthenticationScheme?, password: String = "secret"
    ) throws -> AccountClient {
        let numbers = Mutex<UInt64>(0)
        return AccountClient(
            transport, home: try WebAddress("http://localhost\(InMemoryCalendarServer.path)"),
            credentials: AccountClient.Credentials(user: "ann", password: password), scheme: scheme
        ) {
            numbers.withLock { number in
                number += 1
                return number
            }
        }
    }

    private func look(_ client: AccountClient, times: Int = 1) async throws -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<times {
            statuses.append(try await client.send(DAVRequests.resource(client.home, depth: 0)).response.status)
        }
        return statuses
    }

    private func ways(_ requests: [HTTPRequest]) -> [String] {
        requests.map { $0.headers["Authorization"].map { String($0.prefix { $0 != " " }) } ?? "none" }
    }

    @Test func `Basic costs one request each`() async throws {
        let front = ChallengingServer(server, offers: [.basic])
        #expect(try await look(try client(front, scheme: .basic), times: 3) == [207, 207, 207])
        #expect(ways(front.requests) == ["Basic", "Basic", "Basic"])
    }

    @Test(arguments: [[AuthenticationScheme.digest], [.basic, .digest], [.digest, .basic]])
    func `Digest is preferred where it is offered, and the password itself is never sent`(
        offers: [AuthenticationScheme]
    ) async throws {
        for scheme in [nil, AuthenticationScheme.digest] {
            let front = ChallengingServer(server, offers: offers)
            let client = try client(front, scheme: scheme)
            #expect(try await look(client, times: 3) == [207, 207, 207])
            #expect(ways(front.requests) == ["none", "Digest", "Digest", "Digest"])
            #expect(client.scheme == .digest)
        }
    }

    @Test func `a server of which nothing is known is asked first`() async throws {
        let front = ChallengingServer(server, offers: [.basic])
        let client = try client(front, scheme: nil)
        #expect(try await look(client, times: 2) == [207, 207])
        #expect(ways(front.requests) == ["none", "Basic", "Basic"] && client.scheme == .basic)
    }

    @Test func `a server that asks for nothing is shown the password, as it may have more for those whom it knows`()
        async throws
    {
        #expect(try await look(try client(server, scheme: nil), times: 2) == [207, 207])
        #expect(ways(server.requests) == ["none", "Basic", "Basic"])
    }

    @Test func `a stale nonce costs one more request, and nobody is asked for the password`() async throws {
        let front = ChallengingServer(server, offers: [.digest], usesOfNonce: 2)
        #expect(try await look(try client(front, scheme: .digest), times: 5) == Array(repeating: 207, count: 5))
        #expect(front.requests.count == 1 + 5 + 2)
    }

    @Test(
        arguments: [
            (nil, [AuthenticationScheme.basic], 2), (nil, [.digest], 2), (.basic, [.basic], 1), (.digest, [.digest], 2),
            (.basic, [.digest], 2),
        ] as [(AuthenticationScheme?, [AuthenticationScheme], Int)])
    func `a wrong password is tried once`(scheme: AuthenticationScheme?, offers: [AuthenticationScheme], requests: Int)
        async throws
    {
        let front = ChallengingServer(server, offers: offers)
        #expect(try await look(try client(front, scheme: scheme, password: "wrong")) == [401])
        #expect(front.requests.count == requests && server.requests.isEmpty)
    }

    @Test func `a server that never has a nonce that is good is left after three requests`() async throws {
        let front = ChallengingServer(server, offers: [.digest], usesOfNonce: 0)
        #expect(try await look(try client(front, scheme: .digest)) == [401])
        #expect(front.requests.count == 3)
    }

    @Test func `a server that changes its mind is followed`() async throws {
        let front = ChallengingServer(server, offers: [.basic])
        let client = try client(front, scheme: .basic)
        #expect(try await look(client) == [207])
        front.offer([.digest])
        #expect(try await look(client) == [207] && client.scheme == .digest)
        front.offer([.basic])
        #expect(try await look(client) == [207] && client.scheme == .basic)
    }

    @Test func `another host gets neither password nor proof`() async throws {
        let front = ChallengingServer(server, offers: [.digest])
        let client = try client(front, scheme: .digest)
        #expect(try await look(client) == [207])
        server.fail(.redirect("http://127.0.0.1\(InMemoryCalendarServer.path)"))
        let (response, address) = try await client.send(DAVRequests.resource(client.home, depth: 0))
        #expect(response.status == 401 && address.host == "127.0.0.1")
        #expect(ways(front.requests).last == "none")
    }
}
