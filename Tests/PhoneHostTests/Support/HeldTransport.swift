import CalDAV
import HostSystem
import TestDoubles

/// A slow way to a server: each answer is held until the test lets it go.
final class HeldTransport: HTTPTransport {
    private struct State {
        var requests = 0
        var answers = 0
    }

    private let server: InMemoryCalendarServer
    private let state = WaitableState(State())

    init(_ server: InMemoryCalendarServer) { self.server = server }

    func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        let number = state.change { state in
            state.requests += 1
            return state.requests
        }
        _ = await state.wait { $0.answers >= number ? true : nil }
        return try server.answer(request).get()
    }

    /// Returns when the request of this number, from 1, waits for its answer.
    func isWaiting(_ number: Int) async { _ = await state.wait { $0.requests >= number ? true : nil } }

    func answer() { state.change { $0.answers += 1 } }
}

/// A way to a server on which a test has its hands.
struct ScriptedTransport: HTTPTransport {
    let answer: @Sendable (HTTPRequest) -> Result<HTTPResponse, CalDAVError>

    func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse { try answer(request).get() }
}
