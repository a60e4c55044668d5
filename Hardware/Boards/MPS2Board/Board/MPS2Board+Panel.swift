import Watch

extension MPS2Board: Panel {
    @inline(never)
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        let buffer = panel.frame(line, pixels)
        beginAside()
        panel.run.hand(at: Timer.clock.ticks)
        panel.transfer(buffer)
        endAside()
    }

    /// The port sends a line at once: there is nothing to wait for. The bench receives when the lines
    /// of the run were sent, and when the runtime had nothing more to do but to wait.
    @inline(never)
    mutating func finishLines() {
        beginAside()
        let run = panel.run
        panel.run = PanelPort.Run()
        keep(.lines(run.lines, first: run.first, last: run.last, awaited: Timer.clock.ticks))
        endAside()
    }

    /// Begins something that the watch's processor would not do. Where time is the bench's, it stands meanwhile.
    func beginAside() {
        if case .stepping = pacing { Timer.clock.stop() }
    }

    func endAside() {
        if case .stepping = pacing { Timer.clock.goOn() }
    }
}
