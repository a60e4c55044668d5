import Foundation

/// Sends the requests of one account: it gives the password to the account's own server alone, and follows redirections.
package struct AccountClient: Sendable {
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

    private let transport: any HTTPTransport
    /// The address of the account.
    package let home: WebAddress
    private let credentials: Credentials?

    /// - Parameters:
    ///   - home: the address of the account; only its host, by the same scheme and port, gets the password.
    ///   - credentials: nil for a server that asks for none.
    package init(_ transport: any HTTPTransport, home: WebAddress, credentials: Credentials?) {
        self.transport = transport
        self.home = home
        self.credentials = credentials
    }

    /// The answer to a request, or to that of the place that it leads to, and where that is.
    ///
    /// - Throws: what the transport throws; `.redirected` where it leads on and on, from HTTPS to HTTP, or with a change
    ///   to another host.
    package func send(_ request: HTTPRequest) async throws(CalDAVError) -> (response: HTTPResponse, at: WebAddress) {
        var request = request
        for _ in 0...AccountClient.mostRedirections {
            let response = try await transport.send(authorized(request))
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

    private func authorized(_ request: HTTPRequest) -> HTTPRequest {
        guard let credentials, request.address.origin == home.origin else { return request }
        var request = request
        let text = Data("\(credentials.user):\(credentials.password)".utf8).base64EncodedString()
        request.headers["Authorization"] = "Basic \(text)"
        return request
    }
}
