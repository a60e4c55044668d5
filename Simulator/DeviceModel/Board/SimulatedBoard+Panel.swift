import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Charges what the processor does before it sends the first of `count` lines: it draws them, unless a tap's stages
    /// have done so.
    public func beginLines(_ count: Int) {
        switch drawing {
        case .tap: execute(instructions.flush)
        case .screen: execute(count * instructions.drawnLine + instructions.flush)
        }
    }

    /// Hands one line over to the panel's bus, once a transfer buffer is free. Lines outside the panel, or of another length
    /// than 18 bytes, are ignored.
    public func writeLine(_ line: Int, pixels: Span<UInt8>) {
        awaitPanel(until: panelBus.bufferFree)
        execute(instructions.line)
        let (began, length) = panelBus.transfer(at: clock.now, profile.panel)
        activities?.enter(.panel, from: began, length)
        output.work.panelLines += 1
        output.writeLine(line, pixels: pixels)
    }

    /// Waits until the last line is on the panel.
    public func finishLines() {
        execute(instructions.meanwhile)
        awaitPanel(until: panelBus.idle)
        panelBus.endRun()
        execute(instructions.shown)
    }

    private func awaitPanel(until end: Instant?) {
        let now = clock.now
        if let end, now < end { charge(end - now, to: \.panel) }
    }
}
