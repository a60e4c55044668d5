import Watch
import WatchLink

extension MPS2Board: TraceSink {
    @inline(never)
    mutating func trace(_ event: TraceEvent) {
        keep(.trace(event, ticks: Timer.clock.ticks))
    }

    /// Keeps a report until the runtime is idle. When there is no room, those that wait are sent at once; where time is the
    /// bench's it stands meanwhile, or it would depend on how soon the bench listens.
    mutating func keep(_ report: BenchReport) {
        if bench.isFull, case .stepping = pacing {
            clock.hold()
            bench.sendNotes()
            clock.goOn(from: .start)
        }
        bench.note(report)
    }
}
