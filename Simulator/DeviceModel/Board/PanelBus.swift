import WatchLink

/// The bus to the panel, fed by a DMA engine out of two transfer buffers: while one is on its way the processor frames the
/// next line in the other.
struct PanelBus {
    /// Lines sent since the run began.
    private(set) var lines = 0
    /// When the transfer before the last one ends, and its buffer is free; nil before the second transfer.
    private(set) var bufferFree: Instant?
    /// When the last transfer ends; nil before the first.
    private(set) var idle: Instant?

    /// Sends a line. Its transfer begins as soon as the bus is free; what is left of a microsecond goes to the next line
    /// of the run, so that a run adds up exactly. Returns when the transfer begins and what it takes.
    mutating func transfer(at now: Instant, _ cost: PanelCost) -> (began: Instant, length: Microseconds) {
        let length = cost.time(lines: lines + 1) - cost.time(lines: lines)
        bufferFree = idle
        let began = max(now, idle ?? now)
        idle = began + length
        lines += 1
        return (began, length)
    }

    /// The next line is the first of another run.
    mutating func endRun() {
        lines = 0
    }
}
