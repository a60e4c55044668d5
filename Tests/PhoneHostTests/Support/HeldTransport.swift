import CalDAV
import HostSystem
import TestDoubles

/// A transport to a calendar server that holds back each answer until the test calls `answer()`.
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

    /// Waits until there have been `number` requests, so that the last of them waits for its answer.
    func isWaiting(_ number: Int) async { _ = await state.wait { $0.requests >= number ? true : nil } }

    func answer() { state.change { $0.answers += 1 } }
}

struct ScriptedTransport: HTTPTransport {
    let answer: @Sendable (HTTPRequest) -> Result<HTTPResponse, CalDAVError>

    func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse { try answer(request).get() }
}
