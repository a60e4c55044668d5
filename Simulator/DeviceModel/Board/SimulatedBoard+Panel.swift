import Watch
import WatchLink

extension SimulatedBoard where Flash: ~Copyable {
    /// Puts one line into the frame. Lines outside the panel, or of another length than 18 bytes, are ignored.
    public func writeLine(_ line: Int, pixels: Span<UInt8>) {
        switch drawing {
        case .tap: execute(instructions.line)
        case .screen: execute(instructions.drawnLine + instructions.line)
        }
        charge(lengthOfNextLine(), to: \.panel)
        output.work.panelLines += 1
        output.writeLine(line, pixels: pixels)
    }

    /// What the next line takes on the bus. A run of lines adds up exactly: what is left of a microsecond goes to the next.
    private func lengthOfNextLine() -> Microseconds {
        let sent: Int
        switch panelRun {
        case .none: sent = 0
        case .open(let lines): sent = lines
        }
        panelRun = .open(lines: sent + 1)
        return profile.panel.time(lines: sent + 1) - profile.panel.time(lines: sent)
    }
}
