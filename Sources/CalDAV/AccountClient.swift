import Synchronization

/// Sends the requests of one account and follows redirections. Only the account's own server gets the password.
package final class AccountClient: Sendable {
    package static let mostRedirections = 5

    private let transport: any HTTPTransport
    package let home: WebAddress
    private let login: Mutex<Login?>

    package init(_ transport: any HTTPTransport, home: WebAddress, login: Login?) {
        self.transport = transport
        self.home = home
        self.login = Mutex(login)
    }

    /// Sends a request and follows redirections.
    ///
    /// - Returns: the answer, and the address that gave it.
    /// - Throws: the errors of the transport; `.endlessRedirection` after more than `mostRedirections`; `.notCalDAV` if a
    ///   redirection names no valid address; `.redirected` if the server redirects from HTTPS to HTTP, redirects to HTTP on
    ///   another machine, or answers a write request with a redirection to another server.
    package func send(_ request: HTTPRequest) async throws(CalDAVError) -> (response: HTTPResponse, at: WebAddress) {
        var request = request
        for _ in 0...AccountClient.mostRedirections {
            let response = try await answer(to: request)
            guard let next = try destination(of: response, for: request) else { return (response, request.address) }
            request.address = next
        }
        throw .endlessRedirection(at: request.address.text)
    }

    private func destination(
        of response: HTTPResponse, for request: HTTPRequest
    ) throws(CalDAVError) -> WebAddress? {
        switch response.status {
        case 301, 302, 307, 308:
            guard let link = response.headers["location"], let next = request.address.resolving(link) else {
                throw .notCalDAV(address: request.address.text)
            }
            let isElsewhere = next.origin != request.address.origin
            if isElsewhere, request.method.changesServer { throw .redirected(to: next.text) }
            let isReadable = next.scheme != "https" && (request.address.scheme == "https" || !next.isLoopback)
            if isReadable { throw .redirected(to: next.text) }
            return next
        case _: return nil
        }
    }

    /// Sends a request. The password goes only to the account's own server. If that server asks for another way to log in,
    /// sends the request once more in that way.
    private func answer(to request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        guard request.address.origin == home.origin, let first = login.withLock({ $0 }) else {
            return try await transport.send(request)
        }
        var request = request
        request.login = first
        let response = try await transport.send(request)
        guard let scheme = AccountClient.scheme(after: response, to: first) else { return response }
        login.withLock { $0?.scheme = scheme }
        let used = first.scheme ?? AccountClient.preferred(of: response.asked)
        guard scheme != used else { return response }
        request.login?.scheme = scheme
        return try await transport.send(request)
    }

    /// Returns the scheme for the next request: a scheme that the server has asked for, or else the scheme of `login`, or else
    /// Basic. If the server redirects, returns nil instead of Basic.
    ///
    /// Basic is used even if the server asks for no login, because the server may show more to users that it knows.
    private static func scheme(after response: HTTPResponse, to login: Login) -> AuthenticationScheme? {
        if let scheme = preferred(of: response.asked) ?? login.scheme { return scheme }
        return (300..<400).contains(response.status) ? nil : .basic
    }

    private static func preferred(of schemes: Set<AuthenticationScheme>) -> AuthenticationScheme? {
        schemes.contains(.digest) ? .digest : schemes.first
    }
}

/// A way in which a server accepts a password (RFC 9110 section 11).
package enum AuthenticationScheme: Hashable, Sendable {
    /// Each request has the password itself (RFC 7617).
    case basic
    /// Each request has a proof of the password that an eavesdropper cannot use (RFC 7616).
    case digest
}

package struct Login: Equatable, Sendable {
    package var user: String
    package var password: String
    /// How to log in. If nil, the transport first sends the request without a password. It then uses Digest if the server
    /// allows it, otherwise Basic.
    package var scheme: AuthenticationScheme?

    package init(user: String, password: String, scheme: AuthenticationScheme? = nil) {
        self.user = user
        self.password = password
        self.scheme = scheme
    }
}

package struct HTTPRequest: Equatable, Sendable {
    package enum Method: String, Codable, Sendable {
        case get = "GET"
        case put = "PUT"
        case delete = "DELETE"
        case propfind = "PROPFIND"
        case report = "REPORT"
        case mkcalendar = "MKCALENDAR"
        case mkcol = "MKCOL"

        package var changesServer: Bool {
            switch self {
            case .put, .delete, .mkcalendar, .mkcol: true
            case .get, .propfind, .report: false
            }
        }
    }

    package var method: Method
    package var address: WebAddress
    package var headers: [String: String]
    package var body: [UInt8]
    /// The user and password; nil if the server must not get them.
    package var login: Login?

    package init(_ method: Method, _ address: WebAddress, headers: [String: String] = [:], body: [UInt8] = []) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }
}

package struct HTTPResponse: Equatable, Sendable {
    package var status: Int
    /// The headers, with their names in lowercase.
    package var headers: [String: String]
    package var body: [UInt8]
    /// The ways to log in that the server has named, in this answer or in an earlier answer to the same request.
    package var asked: Set<AuthenticationScheme>

    package init(
        status: Int, headers: [String: String] = [:], body: [UInt8] = [], asked: Set<AuthenticationScheme> = []
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.asked = asked
    }

    package func failure(at address: WebAddress) -> CalDAVError? {
        switch status {
        case 200..<300: nil
        case 401: .unauthorized(address: address.text)
        case 403: .forbidden(address: address.text)
        case 404, 410: .missing(address: address.text)
        case 507: .full
        case 423, 429, 503: .busy(status: status, seconds: headers["retry-after"].flatMap { Int($0) })
        case _: .refused(status: status, address: address.text)
        }
    }
}

package protocol HTTPTransport: Sendable {
    /// Sends one request. An answer with any HTTP status is a success.
    ///
    /// - Throws: `.unreachable`, `.certificate`, `.silent`, `.halfAnswer`, `.tooLarge` or `.stopped`.
    func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse
}
