import CalDAV
import Synchronization
import WatchLink

/// A phone's transport to the server. It keeps a request until the scenario answers it.
final class SimulatedHTTPTransport: HTTPTransport {
    typealias Answer = Result<HTTPResponse, CalDAVError>

    /// A request, and the task that waits for its answer.
    struct Waiting: Sendable {
        let request: HTTPRequest
        let continuation: CheckedContinuation<Answer, Never>
    }

    /// The request that the scenario has not taken yet: a sync has one at a time.
    private let waiting = Mutex<Waiting?>(nil)

    func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        let answer: Answer = await withCheckedContinuation { continuation in
            waiting.withLock { $0 = Waiting(request: request, continuation: continuation) }
        }
        return try answer.get()
    }

    /// Takes the new request; nil if there is none.
    func take() -> Waiting? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }
}

struct RequestFlight {
    let waiting: SimulatedHTTPTransport.Waiting
    /// When the request reaches the server.
    let arrives: Instant
    let returns: Instant
    /// Nil until it has arrived.
    var answer: SimulatedHTTPTransport.Answer?
}
