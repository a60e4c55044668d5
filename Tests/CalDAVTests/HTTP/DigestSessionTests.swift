import Testing

@testable import CalDAV

/// The challenges of servers, and the proofs that answer them.
@Suite struct DigestSessionTests {
    private static let offer =
        #"realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", "#
        + #"opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS""#
    private let mufasa = AccountClient.Credentials(user: "Mufasa", password: "Circle of Life")

    private func session(_ header: String) throws -> DigestSession? {
        DigestSession(
            try #require(AuthenticationChallenge.reading(header).first), mufasa,
            clientNonce: "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ")
    }

    private func request() throws -> HTTPRequest {
        HTTPRequest(.get, try WebAddress("https://www.example.org/dir/index.html"))
    }

    @Test(
        "the example of RFC 7616 section 3.9.1",
        arguments: [
            ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
            ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ])
    func example(algorithm: String, response: String) throws {
        var session = try #require(try session("Digest \(Self.offer), algorithm=\(algorithm)"))
        let header = session.authorization(for: try request())
        let given = try #require(AuthenticationChallenge.reading(header).first?.parameters)
        #expect(given["response"] == response)
        #expect(given["username"] == "Mufasa" && given["uri"] == "/dir/index.html" && given["algorithm"] == algorithm)
        #expect(given["nc"] == "00000001" && given["qop"] == "auth" && given["realm"] == "http-auth@example.org")
        #expect(header.contains("nc=00000001,") && header.contains("qop=auth,"), "these are in no quotes")
    }

    @Test func `the example of RFC 2617 section 3_5, and the same without a quality`() throws {
        let offer = #"Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093""#
        let challenge = try #require(AuthenticationChallenge.reading(offer + #", qop="auth,auth-int""#).first)
        let credentials = AccountClient.Credentials(user: "Mufasa", password: "Circle Of Life")
        var session = try #require(DigestSession(challenge, credentials, clientNonce: "0a4f113b"))
        let request = HTTPRequest(.get, try WebAddress("https://www.nowhere.org/dir/index.html"))
        #expect(session.authorization(for: request).contains(#"response="6629fae49393a05397450978507c4ef1""#))
        let old = try #require(AuthenticationChallenge.reading(offer).first)
        var oldSession = try #require(DigestSession(old, credentials, clientNonce: "0a4f113b"))
        let header = oldSession.authorization(for: request)
        // RFC 2069's formula, by `printf %s HA1:nonce:HA2 | md5sum`.
        #expect(header.contains(#"response="670fd8c2df070c60b045671b8b24ff02""#) && !header.contains("nc="))
    }

    @Test func `each request counts, and a new nonce begins anew`() throws {
        var session = try #require(try session("Digest \(Self.offer)"))
        let headers = try (0..<17).map { _ in session.authorization(for: try request()) }
        #expect(headers[0].contains("nc=00000001,") && headers[16].contains("nc=00000011,"))
        #expect(Set(headers).count == 17)
        session.take(authenticationInfo: #"qop=auth, rspauth="abc", nextnonce="new""#)
        let next = session.authorization(for: try request())
        #expect(next.contains(#"nonce="new""#) && next.contains("nc=00000001,"))
    }

    @Test(arguments: [
        #"Digest realm="a", nonce="b", algorithm=SHA-512-256, qop="auth""#,
        #"Digest realm="a", nonce="b", qop="auth-int""#,
        #"Digest realm="a""#, #"Basic realm="a", nonce="b""#, "Negotiate",
    ])
    func `what cannot be met is none`(header: String) throws {
        #expect(try session(header) == nil)
    }

    @Test func `challenges are told apart`() {
        let read = AuthenticationChallenge.reading(
            #"Negotiate dG9rZW4=, BASIC realm="a, \"b\" \\", charset=UTF-8,, Digest Realm=x , nonce = "y=,", stale=TRUE"#
        )
        #expect(Set(read.map(\.scheme)).isSuperset(of: ["negotiate", "basic", "digest"]))
        let basic = ["realm": #"a, "b" \"#, "charset": "UTF-8"]
        #expect(read.first { $0.scheme == "basic" }?.parameters == basic)
        let digest = ["realm": "x", "nonce": "y=,", "stale": "TRUE"]
        #expect(read.first { $0.scheme == "digest" }?.parameters == digest)
        for text in ["", "\"", "=", "Digest a=\"", "Digest a=\"\\", "ä ö", ",,,"] {
            _ = AuthenticationChallenge.reading(text)
        }
    }
}
