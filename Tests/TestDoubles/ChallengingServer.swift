import CalDAV
import Synchronization

/// A server that asks for the user `ann` and the password `secret`, and passes accepted requests to a server in memory.
/// It sets `HTTPResponse.asked` as libcurl would.
package final class ChallengingServer: HTTPTransport {
    private struct State {
        var offers: Set<AuthenticationScheme>
        var requests: [HTTPRequest] = []
    }

    private let server: InMemoryCalendarServer
    private let state: Mutex<State>

    /// - Parameter offers: the ways to log in that the server accepts. If there are none, it asks for no password.
    package init(_ server: InMemoryCalendarServer, offers: Set<AuthenticationScheme>) {
        self.server = server
        state = Mutex(State(offers: offers))
    }

    package var requests: [HTTPRequest] { state.withLock { $0.requests } }

    package func offer(_ offers: Set<AuthenticationScheme>) {
        state.withLock { $0.offers = offers }
    }

    package func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        let offers = state.withLock { state in
            state.requests.append(request)
            return state.offers
        }
        var response = HTTPResponse(status: 401)
        if offers.isEmpty || isRight(request.login, offers) { response = try server.answer(request).get() }
        // libcurl sends a Basic password with its first request. For any other scheme, the server challenges libcurl
        // first.
        if response.status == 401 || request.login?.scheme != .basic { response.asked = offers }
        return response
    }

    private func isRight(_ login: Login?, _ offers: Set<AuthenticationScheme>) -> Bool {
        guard let login else { return false }
        return login.user == "ann" && login.password == "secret" && login.scheme.map(offers.contains) ?? true
    }
}
