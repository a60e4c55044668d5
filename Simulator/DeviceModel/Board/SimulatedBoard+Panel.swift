import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Charges what the processor does before it sends the first line: it draws, unless that was done.
    public func beginLines() {
        switch drawing {
        // The lines of a screen are charged one by one.
        case .stages, .before, .screen: break
        case .removal: execute { $0.removal }
        case .news: execute { $0.news }
        }
        execute { $0.flush }
    }

    /// Hands one line over to the panel's bus, once a transfer buffer is free. Lines outside the panel, or of another length
    /// than 18 bytes, are ignored.
    public func writeLine(_ line: Int, pixels: Span<UInt8>) {
        awaitPanel(until: panelBus.bufferFree)
        if drawing == .screen { execute { $0.drawnLine } }
        execute { $0.line }
        let (began, length) = panelBus.transfer(at: clock.now, profile.panel)
        activities?.enter(.panel, from: began, length)
        output.work.panelLines += 1
        output.writeLine(line, pixels: pixels)
    }

    /// Waits until the last line is on the panel.
    public func finishLines() {
        execute { $0.meanwhile }
        awaitPanel(until: panelBus.idle)
        output.panelRun = PanelRun(lines: panelBus.lines)
        panelBus.endRun()
        execute { $0.shown }
        drawing.follow(.sent)
    }

    /// Charges the time until then as spent on the panel.
    func awaitPanel(until end: Instant?) {
        let now = clock.now
        if let end, now < end { charge(end - now, to: \.panel) }
    }
}
