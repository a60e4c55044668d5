import CalDAV
import Synchronization

/// Passes requests to another transport, and counts them and the bytes of all bodies in both directions.
final class CountingTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let counts = Mutex((requests: 0, bytes: 0))

    init(_ transport: any HTTPTransport) {
        self.transport = transport
    }

    var total: (Int, Int) { counts.withLock { ($0.requests, $0.bytes) } }

    func send(_ request: HTTPRequest) async throws(CalDAVError) -> HTTPResponse {
        counts.withLock { counts in
            counts.requests += 1
            counts.bytes += request.body.count
        }
        let response = try await transport.send(request)
        counts.withLock { $0.bytes += response.body.count }
        return response
    }
}
