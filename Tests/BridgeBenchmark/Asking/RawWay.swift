import Glibc
import HostSystem

/// Asks with blocking calls, on a thread of its own.
struct RawAsker: Asker {
    private let other: OtherProcess

    init(_ other: OtherProcess) { self.other = other }

    func ask(for length: Duration) async throws -> RoundTrips {
        let trips = try await SystemThread.result { [other] () -> RoundTrips? in
            guard let socket = other.socket.number else { return nil }
            var buffer = Probe.bytes
            var trips = RoundTrips(for: length)
            while trips.begin() {
                guard send(socket, buffer, Probe.size, 0) == Probe.size, recv(socket, &buffer, Probe.size, 0) > 0
                else { return nil }
            }
            return trips
        }
        guard let trips else { throw OtherProcessHasGone() }
        return trips
    }
}

/// Sends back what it receives, with blocking calls.
struct RawAnswerer: Answerer {
    func serve(in directory: String) async throws {
        try await SystemThread.result {
            var buffer = Probe.bytes
            while recv(OtherProcess.given, &buffer, Probe.size, 0) > 0 {
                _ = send(OtherProcess.given, buffer, Probe.size, CInt(MSG_NOSIGNAL))
            }
        }
    }
}
