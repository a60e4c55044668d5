import HostCalls
import Watch
import WatchLink

extension LabBoard: TraceSink {
    /// Nobody is to wait for a report: one is a few stores and a call.
    @inline(__always)
    mutating func trace(_ event: TraceEvent) {
        switch event {
        case .mark(let mark, let tap, let time): report(.mark, UInt32(mark.rawValue), tap, time)
        case .stageBegan(let name, let tap, let time): report(.stageBegan, Host.word(name.utf8Start), tap, time)
        case .stageEnded(let name, let tap, let time): report(.stageEnded, Host.word(name.utf8Start), tap, time)
        case .screenChanged(let time): report(.screenChanged, 0, TapNumber(0), time)
        case .moment(let moment, let from, let time):
            let words = block.address(of: 0)
            words[HostBlock.Trace.fromLow] = from.microseconds.lowWord
            words[HostBlock.Trace.fromHigh] = from.microseconds.highWord
            report(.moment, UInt32(moment.rawValue), TapNumber(0), time)
        case .journalFailed(let error, let time): report(.journalFailed, error.benchCode, TapNumber(0), time)
        }
    }

    @inline(never)
    private mutating func report(_ kind: HostBlock.TraceKind, _ value: UInt32, _ tap: TapNumber, _ time: Instant) {
        let words = block.address(of: 0)
        words[HostBlock.Trace.timeLow] = time.microseconds.lowWord
        words[HostBlock.Trace.timeHigh] = time.microseconds.highWord
        words[HostBlock.Trace.tap] = tap.count
        Host.call(.trace, Host.word(words), kind.rawValue, value)
    }
}

extension LabBoard {
    mutating func began(_ work: MessageWork) { report(work, 1) }

    mutating func ended(_ work: MessageWork) { report(work, 0) }

    private func report(_ work: MessageWork, _ edge: UInt32) {
        Host.call(
            .messageWork, Host.word(work.name.utf8Start), edge, UInt32(work.button) << 8 | UInt32(work.kind.rawValue))
    }

    /// Waits for an event or `deadline`: what a stage does that waits for the phone. The run loop has a call of its own.
    func idle(until deadline: Instant?) {
        guard let deadline else {
            Host.call(.wait)
            return
        }
        Host.call(.wait, deadline.microseconds.lowWord, deadline.microseconds.highWord, 1)
    }
}
