import DeviceModel
import Watch
import WatchLink

/// A board made of software that looks at this machine's clock when a tap begins and when its handler returns. What passes in
/// `idle`, where the phone and the air are computed, is left out.
final class TimedBoard {
    /// Where a tap is.
    private enum Stage {
        /// No handler runs.
        case none
        /// One has run since this time, apart from what was left out since.
        case handling(since: ContinuousClock.Instant, waited: Duration)
    }

    /// What each tap's handler took, in nanoseconds.
    private(set) var handled: [Int64] = []
    private var board: SimulatedBoard<MemoryFlash>
    private var stage = Stage.none

    /// A board around `board`.
    init(_ board: SimulatedBoard<MemoryFlash>) {
        self.board = board
    }

    /// Lets the wearer do `inputs` now.
    func post(_ inputs: [Input]) {
        board.post(inputs)
    }
}

extension TimedBoard: Board {
    func trace(_ event: TraceEvent) {
        switch event {
        case .mark(.touch, _, _):
            board.trace(event)
            stage = .handling(since: .now, waited: .zero)
        case .mark(.handled, _, _):
            if case .handling(let start, let waited) = stage {
                let (seconds, attoseconds) = (ContinuousClock.now - start - waited).components
                handled.append(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
            }
            stage = .none
            board.trace(event)
        case .mark, .stageBegan, .stageEnded, .screenChanged, .moment, .journalFailed:
            board.trace(event)
        }
    }

    func idle(until deadline: Instant?) {
        let start = ContinuousClock.now
        board.idle(until: deadline)
        if case .handling(let since, let waited) = stage {
            stage = .handling(since: since, waited: waited + (.now - start))
        }
    }

    var now: Instant { board.now }
    func calendar(at instant: Instant) -> LocalTime? { board.calendar(at: instant) }
    func setCalendar(_ time: LocalTime) { board.setCalendar(time) }

    func nextInput() -> TimedInput? { board.nextInput() }
    var touchScanInterval: Microseconds { board.touchScanInterval }
    func play(_ pattern: HapticPattern) { board.play(pattern) }
    func writeLine(_ line: Int, pixels: Span<UInt8>) { board.writeLine(line, pixels: pixels) }

    var radioState: RadioState { board.radioState }
    func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome { board.sendDatagram(bytes) }
    func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int? { board.receiveDatagram(into: &buffer) }
    func answerPairing(_ answer: PairingAnswer) { board.answerPairing(answer) }
    func disconnectRadio() { board.disconnectRadio() }

    var flashGeometry: FlashGeometry { board.flashGeometry }
    var flashActivity: FlashActivity { board.flashActivity }

    func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try board.readFlash(at: address, into: &destination)
    }

    func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        try board.programFlash(at: address, bytes)
    }

    func beginErase(sector: Int) throws(FlashError) {
        try board.beginErase(sector: sector)
    }

    func finishErase() { board.finishErase() }
}
