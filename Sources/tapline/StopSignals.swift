import Dispatch
import Glibc
import HostSystem

/// Catches the signals that ask a program to stop, from its creation on.
final class StopSignals {
    /// The names of the signals that arrived.
    let arrivals: AsyncStream<String>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (arrivals, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
        self.arrivals = arrivals
        // A lost reader of the standard output is no reason to stop serving.
        signal(SIGPIPE, SIG_IGN)
        sources = [(SIGINT, "SIGINT"), (SIGTERM, "SIGTERM"), (SIGHUP, "SIGHUP")].map { number, name in
            signalSource(number) { continuation.yield(name) }
        }
    }

    func first() async -> String {
        for await name in arrivals { return name }
        return "the end of the program"
    }
}
