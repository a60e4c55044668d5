import Synchronization

/// Sends the requests of one account: it gives the password to the account's own server alone, and follows redirections.
package final class AccountClient: Sendable {
    /// The user and the password of an account.
    package struct Credentials: Sendable {
        package var user: String
        package var password: String

        package init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    /// The most redirections of one request.
    package static let mostRedirections = 5
    /// The most times that a request is sent to one place: without a proof, with one whose nonce is too old, and with a new one.
    private static let mostAttempts = 3

    private let transport: any HTTPTransport
    /// The address of the account.
    package let home: WebAddress
    /// Nil for a server that asks for no password.
    private let authentication: Mutex<Authentication?>

    /// - Parameters:
    ///   - home: the address of the account; only its host, by the same scheme and port, gets the password.
    ///   - credentials: nil for a server that asks for none.
    ///   - scheme: how the server wanted the password before; nil where that is not known.
    ///   - random: sixty-four random bits.
    package init(
        _ transport: any HTTPTransport, home: WebAddress, credentials: Credentials?, scheme: AuthenticationScheme?,
        random: @escaping @Sendable () -> UInt64
    ) {
        self.transport = transport
        self.home = home
        authentication = Mutex(
            credentials.map { credentials in
                Authentication(credentials, scheme: scheme) {
                    String(random(), radix: 16) + String(random(), radix: 16)
                }
            })
    }

    /// How the server wants the password, as far as is known; nil where it asks for none, too.
    package var scheme: AuthenticationScheme? { authentication.withLock { $0?.scheme } }

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

    /// The answer of one place, which has got the password as it asks for it, if it is the account's own.
    private func answer(to request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        guard request.address.origin == home.origin else {
            return try await transport.send(request)
        }
        var response = HTTPResponse(status: 401)
        for _ in 0..<AccountClient.mostAttempts {
            var authorized = request
            authorized.headers["Authorization"] = authentication.withLock { $0?.authorization(for: request) }
            response = try await transport.send(authorized)
            switch authentication.withLock({ $0?.next(after: response) }) {
            case nil, .answered: return response
            case .again: break
            }
        }
        return response
    }
}
