import Dispatch
import Glibc
import HostSystem

/// Catches SIGINT, SIGTERM and SIGHUP for as long as this object exists.
final class StopSignals {
    /// The names of the signals that arrive. The stream holds one name. Until the reader has taken it, further signals are
    /// dropped.
    let arrivals: AsyncStream<String>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (arrivals, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
        self.arrivals = arrivals
        // A host goes on if the reader of its standard output is gone.
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
