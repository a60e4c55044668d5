import TestDoubles
import Testing

@testable import CalDAV

@Suite struct AccountClientTests {
    private let server = InMemoryCalendarServer()

    private func client(_ transport: any HTTPTransport, password: String = "secret") throws -> AccountClient {
        AccountClient(
            transport, home: try WebAddress("http://localhost\(InMemoryCalendarServer.path)"),
            login: Login(user: "ann", password: password))
    }

    private func look(_ client: AccountClient, times: Int = 1) async throws -> [Int] {
        var statuses: [Int] = []
        for _ in 0..<times {
            statuses.append(try await client.send(DAVRequests.resource(client.home, depth: 0)).response.status)
        }
        return statuses
    }

    private func schemes(_ requests: [HTTPRequest]) -> [AuthenticationScheme?] { requests.map { $0.login?.scheme } }

    @Test(
        arguments: [([.basic], .basic), ([.digest], .digest), ([.basic, .digest], .digest)]
            as [(Set<AuthenticationScheme>, AuthenticationScheme)])
    func `the server is asked for its scheme once, and Digest is preferred`(
        offers: Set<AuthenticationScheme>, preferred: AuthenticationScheme
    ) async throws {
        let front = ChallengingServer(server, offers: offers)
        #expect(try await look(try client(front), times: 3) == [207, 207, 207])
        #expect(schemes(front.requests) == [nil, preferred, preferred])
    }

    @Test func `a server that asks for nothing gets the password, because it may show more to users that it knows`()
        async throws
    {
        let front = ChallengingServer(server, offers: [])
        #expect(try await look(try client(front), times: 2) == [207, 207])
        #expect(schemes(front.requests) == [nil, .basic, .basic])
    }

    @Test(arguments: [[.basic], [.digest], [.basic, .digest]] as [Set<AuthenticationScheme>])
    func `a wrong password is tried once`(offers: Set<AuthenticationScheme>) async throws {
        let front = ChallengingServer(server, offers: offers)
        #expect(try await look(try client(front, password: "wrong")) == [401])
        #expect(front.requests.count == 1 && server.requests.isEmpty)
    }

    @Test func `a server that changes its scheme is followed`() async throws {
        let front = ChallengingServer(server, offers: [.basic])
        let client = try client(front)
        #expect(try await look(client) == [207])
        front.offer([.digest])
        #expect(try await look(client) == [207])
        front.offer([.basic])
        #expect(try await look(client) == [207])
        #expect(schemes(front.requests) == [nil, .basic, .digest, .digest, .basic])
    }

    @Test func `another host does not get the password`() async throws {
        let front = ChallengingServer(server, offers: [.digest])
        let client = try client(front)
        #expect(try await look(client) == [207])
        server.fail(.redirect("http://127.0.0.1\(InMemoryCalendarServer.path)"))
        let (response, address) = try await client.send(DAVRequests.resource(client.home, depth: 0))
        #expect(response.status == 401 && address.host == "127.0.0.1")
        #expect(front.requests.last?.login == nil)
    }
}

@Suite struct CollectionAddressTests {
    @Test(arguments: [
        ("Food", "food"), ("Käse & Brot", "kase-brot"), ("  A--b  ", "a-b"), ("買い物", "list"), ("../x", "x"),
        (String(repeating: "ab ", count: 40), "ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-ab-a"),
    ])
    func `a name can be read in its address`(name: String, slug: String) throws {
        for home in ["https://localhost/ann", "https://localhost/ann/"] {
            let address = try WebAddress(home).collection(named: name, random: 35)
            #expect(address.text == "https://localhost/ann/\(slug)-z/")
        }
    }
}
