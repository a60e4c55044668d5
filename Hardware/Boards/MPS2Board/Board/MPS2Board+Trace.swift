import Watch
import WatchLink

extension MPS2Board: TraceSink {
    @inline(never)
    mutating func trace(_ event: TraceEvent) {
        let ticks = Timer.clock.ticks
        if bench.isFull { sendNotes() }
        bench.append(.trace(event, ticks: ticks))
    }

    /// Keeps a report until the runtime is idle.
    @inline(never)
    mutating func keep(_ report: BenchReport) {
        if bench.isFull { sendNotes() }
        bench.append(report)
    }

    /// Sends the reports that wait. Where time is the bench's it stands meanwhile, or it would depend on how soon the bench
    /// listens.
    @inline(never)
    mutating func sendNotes() {
        beginAside()
        bench.sendNotes()
        endAside()
    }
}
