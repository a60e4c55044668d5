import Dispatch
import Glibc
import HostSystem

/// The signals that ask a program to stop, from the moment this is made.
final class StopSignals {
    /// The names of the signals that have come.
    let arrivals: AsyncStream<String>
    private let sources: [any DispatchSourceSignal]

    init() {
        let (arrivals, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
        self.arrivals = arrivals
        // A reader of the standard output that is gone is no reason to stop serving.
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
