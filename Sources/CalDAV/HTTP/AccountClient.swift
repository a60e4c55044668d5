import Synchronization

/// Sends the requests of one account. It gives the password to the account's own server alone, and follows redirections.
package final class AccountClient: Sendable {
    /// The most redirections of one request.
    package static let mostRedirections = 5

    private let transport: any HTTPTransport
    /// The address of the account.
    package let home: WebAddress
    /// Nil for a server that asks for no password.
    private let login: Mutex<Login?>

    /// - Parameters:
    ///   - home: the address of the account; only its host, by the same scheme and port, gets the password.
    ///   - login: nil for a server that asks for none.
    package init(_ transport: any HTTPTransport, home: WebAddress, login: Login?) {
        self.transport = transport
        self.home = home
        self.login = Mutex(login)
    }

    /// The answer to a request, or to that of the place that it leads to, and where that is.
    ///
    /// - Throws: what the transport throws; `.redirected` where it leads on and on, from HTTPS to HTTP, or with a change
    ///   to another host.
    package func send(_ request: HTTPRequest) async throws(CalDAVError) -> (response: HTTPResponse, at: WebAddress) {
        var request = request
        for _ in 0...AccountClient.mostRedirections {
            let response = try await answer(to: request)
            guard let next = try destination(of: response, for: request) else { return (response, request.address) }
            request.address = next
        }
        throw .redirected(to: request.address.text)
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
            if request.address.scheme == "https", next.scheme != "https" { throw .redirected(to: next.text) }
            return next
        case _: return nil
        }
    }

    /// The answer of one server. The account's own server gets the password, and is asked twice if it wants another scheme.
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

    /// The scheme of the next request; nil if the server has not said.
    ///
    /// A server that asks for nothing gets the password by Basic: it may show more to users that it knows.
    private static func scheme(after response: HTTPResponse, to login: Login) -> AuthenticationScheme? {
        if let scheme = preferred(of: response.asked) ?? login.scheme { return scheme }
        return (300..<400).contains(response.status) ? nil : .basic
    }

    private static func preferred(of schemes: Set<AuthenticationScheme>) -> AuthenticationScheme? {
        schemes.contains(.digest) ? .digest : schemes.first
    }
}
