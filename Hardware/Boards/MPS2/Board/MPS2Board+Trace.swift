import Watch

extension MPS2Board: TraceSink {
    @inline(never)
    mutating func trace(_ event: TraceEvent) {
        bench.note(.trace(event, ticks: Timer.clock.ticks))
    }
}
