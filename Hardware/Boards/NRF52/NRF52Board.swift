import BoardSupport
import Watch
import WatchLink

/// A board with an nRF52832. Such boards differ only in `Screen`, which drives the panel and sets up the pins of the controls.
struct NRF52Board<Screen: WatchPanel & ~Copyable>: Board, ~Copyable {
    private var clock = TickClock()
    private var wallClock: (time: LocalTime, setAt: Instant)?
    private var flash = FlashChip()
    private var radio: SerialRadio
    private var panel: Screen
    private var battery = BatteryState()
    private var crownButton = ButtonState()
    private var sideButton = ButtonState()
    private var finger = Finger.watched
    private var lastLift = Instant.start

    private enum Finger {
        case watched
        /// The finger came down on a dark panel, so its moves and its lift do nothing.
        case ignored
    }

    private struct BatteryState {
        var isLow = false
        var due = Instant.start
    }

    init(arena: inout MemoryArena) {
        Part.start()
        Console.start()
        PinChanges.start()
        SPIBus.start()
        FlashChip.start()
        Motor.start()
        SerialPort.start()
        radio = SerialRadio(arena: &arena)
        panel = Screen(arena: &arena)
        TouchController.start()
    }

    mutating func idle(until deadline: Instant?) {
        let instant = now
        var next = min(instant + Part.longestSleep, panel.attend(at: instant))
        if let deadline { next = min(next, deadline) }
        if let deadline = radio.deadline { next = min(next, deadline) }
        if let hold = crownButton.holdAt { next = min(next, hold) }
        if let hold = sideButton.holdAt { next = min(next, hold) }
        switch flashActivity {
        case .ready: flash.rest()
        case .erasing: next = min(next, instant + FlashChip.eraseCheck)
        }
        Part.feedWatchdog()
        guard next > instant else { return }
        RealTimeClock.wake(afterMicroseconds: (next - instant).count.lowWord)
        let isHolding = radio.isHolding
        Part.sleep(if: { Inputs.isEmpty && (isHolding || SerialPort.isEmpty) })
        RealTimeClock.cancelWake()
    }
}

extension NRF52Board: BoardClock where Screen: ~Copyable {
    var now: Instant {
        @inline(never) mutating get { clock.read() }
    }

    @inline(never)
    func calendar(at instant: Instant) -> LocalTime? {
        wallClock.map { LocalTime(seconds: $0.time.seconds &+ (instant - $0.setAt).wholeSeconds) }
    }

    @inline(never)
    mutating func setCalendar(_ time: LocalTime) {
        wallClock = (time, setAt: now)
    }
}

extension NRF52Board: InputSource where Screen: ~Copyable {
    @inline(never)
    mutating func nextInput() -> TimedInput? {
        guard !Inputs.isEmpty || crownButton.holdAt != nil || sideButton.holdAt != nil else { return nil }
        // Read before the queue is emptied, so that a button released by `instant` is not held.
        let instant = now
        while let entry = Inputs.next() {
            let time = clock.instant(of: entry.count)
            if let input = take(entry, at: time), isSeen(input, at: instant) { return traced(input, at: time) }
        }
        if crownButton.takeHold(at: instant) { return traced(.hold(.crown), at: instant) }
        if sideButton.takeHold(at: instant) { return traced(.hold(.side), at: instant) }
        return nil
    }

    private func traced(_ input: Input, at time: Instant) -> TimedInput {
        Trace.send(.input)
        return TimedInput(input, at: time)
    }

    private mutating func take(_ entry: Inputs.Entry, at time: Instant) -> Input? {
        let (x, y) = Screen.pixel(x: entry.x, y: entry.y)
        switch entry.kind {
        case .touch: return .touch(x: x, y: y)
        case .moved: return .moved(x: x, y: y)
        case .lifted:
            lastLift = time
            return .lifted(x: x, y: y)
        case .crownLater: return .crown(detents: 1)
        case .crownEarlier: return .crown(detents: -1)
        case .crownLow: return crownButton.press(at: time) ? .press(.crown) : nil
        case .crownHigh: crownButton.release(at: time)
        case .sideLow where Screen.hasCrown: return sideButton.press(at: time) ? .press(.side) : nil
        case .sideHigh where Screen.hasCrown: sideButton.release(at: time)
        // The only button of a watch without a crown acts as the crown's button.
        case .sideHigh: return crownButton.press(at: time) ? .press(.crown) : nil
        case .sideLow: crownButton.release(at: time)
        }
        return nil
    }

    /// Lights the panel because of an input. Returns false if the panel was dark, because the input must then have no other
    /// effect. Also returns false for each move and for the lift of a finger that came down on a dark panel.
    private mutating func isSeen(_ input: Input, at now: Instant) -> Bool {
        let wasLit = panel.wake(at: now)
        switch (input, finger) {
        case (.touch, _): finger = wasLit ? .watched : .ignored
        case (.moved, .ignored), (.lifted, .ignored): return false
        case (.moved, .watched), (.lifted, .watched), (.crown, _), (.press, _), (.hold, _), (.pairing, _), (.wrist, _),
            (.clock, _):
            break
        }
        return wasLit
    }

    /// The controller's idle time begins at the last lift. It ends when the main program takes the next touch from the queue.
    var touchScanInterval: Microseconds { TouchController.scanInterval(after: clock.lastRead - lastLift) }

    static var hasCrown: Bool { Screen.hasCrown }
}

extension NRF52Board: Panel where Screen: ~Copyable {
    static var hasColours: Bool { Screen.hasColours }

    mutating func setColours(_ theme: Theme, titleLines: Int) { panel.setColours(theme, titleLines: titleLines) }

    mutating func beginLines() {
        Trace.send(.beginLines)
        panel.beginLines()
    }

    mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        panel.writeLine(line, pixels: pixels)
        Trace.send(.line)
    }

    mutating func finishLines() {
        Trace.send(.finishLines)
        panel.finishLines()
        Trace.send(.shownLines)
    }
}

extension NRF52Board: HapticDriver where Screen: ~Copyable {
    @inline(never)
    mutating func play(_ pattern: HapticPattern) {
        guard !isBatteryLow else { return }
        Trace.send(.haptic, UInt32(pattern.rawValue))
        Motor.play(pattern)
    }

    /// Whether the battery is too low for a haptic. Measures the battery at most once a minute, and otherwise returns the last
    /// result.
    var isBatteryLow: Bool {
        @inline(never) mutating get {
            let instant = now
            if instant >= battery.due {
                battery = BatteryState(isLow: Battery.isLow, due: instant + .milliseconds(60_000))
            }
            return battery.isLow
        }
    }
}

extension NRF52Board: NORFlash where Screen: ~Copyable {
    var flashGeometry: FlashGeometry { FlashChip.geometry }

    var flashActivity: FlashActivity {
        mutating get { flash.activity }
    }

    mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        try flash.read(at: address, into: &destination)
    }

    mutating func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        try flash.program(at: address, bytes)
    }

    mutating func beginErase(sector: Int) throws(FlashError) {
        try flash.beginErase(sector)
    }

    mutating func finishErase() {
        flash.finishErase()
    }
}

extension NRF52Board: Radio where Screen: ~Copyable {
    var radioState: RadioState {
        @inline(never) mutating get {
            radio.service(at: now)
            return radio.state
        }
    }

    mutating func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome {
        radio.send(bytes, at: now)
    }

    mutating func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int? {
        guard let count = radio.receive(into: &buffer, at: now) else { return nil }
        Trace.send(.datagram)
        return count
    }

    /// Does nothing, because no phone pairs over a serial line.
    mutating func answerPairing(_ answer: PairingAnswer) {}

    mutating func disconnectRadio() {
        radio.close(at: now)
    }
}

extension NRF52Board: TraceSink where Screen: ~Copyable {
    @inline(__always)
    mutating func trace(_ event: TraceEvent) {
        switch event {
        case .mark(let mark, let tap, let time):
            Trace.send(.mark, UInt32(mark.rawValue) | tap.count &<< 8, time.microseconds.lowWord)
        case .stageBegan(let name, let tap, _): Trace.send(.stageBegan, Trace.address(name), tap.count)
        case .stageEnded(let name, let tap, _): Trace.send(.stageEnded, Trace.address(name), tap.count)
        case .screenChanged: Trace.send(.screenChanged)
        case .moment(let moment, let from, let time):
            Trace.send(.moment, UInt32(moment.rawValue), from.microseconds.lowWord)
            Trace.send(.moment, time.microseconds.lowWord)
        case .journalFailed(let error, _): Trace.send(.journalFailed, error.traceCode)
        }
    }

    @inline(__always)
    mutating func began(_ work: MessageWork) { report(work, TracePort.began) }

    @inline(__always)
    mutating func ended(_ work: MessageWork) { report(work, 0) }

    @inline(__always)
    private func report(_ work: MessageWork, _ edge: UInt32) {
        Trace.send(
            .messageWork, Trace.address(work.name), edge | UInt32(work.button) &<< 8 | UInt32(work.kind.rawValue))
    }
}
