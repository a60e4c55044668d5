import CalDAV
import Synchronization
import WatchLink

/// The way of a phone to the server: it keeps a request until the scenario has an answer.
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

    /// Takes the request that is new; nil if there is none.
    func take() -> Waiting? {
        waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
    }
}

struct RequestFlight {
    let waiting: SimulatedHTTPTransport.Waiting
    /// When it is at the server, and when its answer is at the phone.
    let arrives: Instant
    let returns: Instant
    /// Nil until it has arrived.
    var answer: SimulatedHTTPTransport.Answer?
}
