import CalDAV

/// A way to a server on which a test has its hands.
struct ScriptedTransport: HTTPTransport {
    let answer: @Sendable (HTTPRequest) -> Result<HTTPResponse, CalDAVError>

    func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse { try answer(request).get() }
}
