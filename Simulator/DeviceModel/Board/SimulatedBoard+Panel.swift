import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Charges the processor's work before the first line: it draws, unless that was done.
    public func beginLines() {
        switch drawing {
        // The lines of a screen are charged one by one.
        case .stages, .before, .screen: break
        case .removal: execute { $0[.removal] }
        case .news: execute { $0[.news] }
        }
        execute { $0[.flush] }
    }

    /// Hands a line to the panel's bus once a transfer buffer is free. Ignores lines outside the panel, or not of 18
    /// bytes.
    public func writeLine(_ line: Int, pixels: Span<UInt8>) {
        awaitPanel(until: panelBus.bufferFree)
        if drawing == .screen { execute { $0[.drawnLine] } }
        execute { $0[.line] }
        let (began, length) = panelBus.transfer(at: clock.now, profile.panel)
        activities?.enter(.panel, from: began, length)
        output.work.panelLines += 1
        output.writeLine(line, pixels: pixels)
    }

    /// Waits until the last line is on the panel.
    public func finishLines() {
        execute { $0[.meanwhile] }
        awaitPanel(until: panelBus.idle)
        output.panelRun = PanelRun(lines: panelBus.lines)
        panelBus.endRun()
        execute { $0[.shown] }
        drawing.follow(.sent)
    }

    func awaitPanel(until end: Instant?) {
        let now = clock.now
        if let end, now < end { charge(end - now, to: \.panel) }
    }
}

/// The bus to the panel, fed by a DMA engine out of two transfer buffers: while one is on its way the processor frames the
/// next line in the other.
struct PanelBus {
    private(set) var lines = 0
    /// When the transfer before the last one ends, and its buffer is free; nil before the second transfer.
    private(set) var bufferFree: Instant?
    /// When the last transfer ends; nil before the first.
    private(set) var idle: Instant?

    /// Sends a line as soon as the bus is free. A fraction of a microsecond goes to the next line, so that a run adds
    /// up exactly.
    mutating func transfer(at now: Instant, _ cost: PanelCost) -> (began: Instant, length: Microseconds) {
        let length = cost.time(lines: lines + 1) - cost.time(lines: lines)
        bufferFree = idle
        let began = max(now, idle ?? now)
        idle = began + length
        lines += 1
        return (began, length)
    }

    mutating func endRun() {
        lines = 0
    }
}

/// What drew the lines that go to the panel next. Drawing is charged once, by its cause.
package enum DrawnLines: Sendable, Equatable {
    /// The stages of a tap, as a part of what they execute.
    case stages
    /// The program by itself, when its time has come: a row goes.
    case removal
    /// The program, for what has come from the phone.
    case news
    /// The program, for what the wearer has done.
    case screen
    /// They were drawn with the run before.
    case before

    package enum Event: Sendable {
        case waits
        case datagram
        case input
        case stage
        case sent
    }

    package mutating func follow(_ event: Event) {
        switch (event, self) {
        case (.waits, _): self = .removal
        // The wearer's screen, or the lines of a stage, are drawn whatever arrives.
        case (.datagram, .removal): self = .news
        case (.datagram, _): break
        case (.input, _): self = .screen
        case (.stage, _): self = .stages
        case (.sent, _): self = .before
        }
    }
}
