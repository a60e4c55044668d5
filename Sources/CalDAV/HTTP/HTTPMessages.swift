/// A request of HTTP or WebDAV.
package struct HTTPRequest: Equatable, Sendable {
    /// The methods of HTTP and WebDAV that are used.
    package enum Method: String, Sendable {
        case get = "GET"
        case put = "PUT"
        case delete = "DELETE"
        case propfind = "PROPFIND"
        case report = "REPORT"
        case mkcalendar = "MKCALENDAR"
        case mkcol = "MKCOL"

        /// Whether it changes something on the server.
        package var changesServer: Bool {
            switch self {
            case .put, .delete, .mkcalendar, .mkcol: true
            case .get, .propfind, .report: false
            }
        }
    }

    package var method: Method
    package var address: WebAddress
    /// Names and values; a name is there once.
    package var headers: [String: String]
    package var body: [UInt8]
    /// Nil if the server must not get the password.
    package var login: Login?

    package init(_ method: Method, _ address: WebAddress, headers: [String: String] = [:], body: [UInt8] = []) {
        self.method = method
        self.address = address
        self.headers = headers
        self.body = body
    }
}

/// An answer that arrived whole.
package struct HTTPResponse: Equatable, Sendable {
    /// 100 to 599.
    package var status: Int
    /// By names in small letters.
    package var headers: [String: String]
    package var body: [UInt8]
    /// The schemes in which the server asked for the password, before or in this answer.
    package var asked: Set<AuthenticationScheme>

    package init(
        status: Int, headers: [String: String] = [:], body: [UInt8] = [], asked: Set<AuthenticationScheme> = []
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.asked = asked
    }

    /// The error that the status means, nil for one of success. `address` is that of the request.
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

/// Sends a request and waits for its answer.
package protocol HTTPTransport: Sendable {
    /// - Throws: `.unreachable`, `.certificate`, `.silent`, `.halfAnswer`, `.tooLarge` or `.stopped`; a status is no error.
    func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse
}
