import BoardSupport
import CCortexM
import MPS2Memory
import Watch
import WatchLink

/// The watch on QEMU's mps2-an386 machine, which has a Cortex-M4. The machine has no display, touch panel, buttons, haptic
/// driver or radio, so those are at the other end of serial ports.
struct MPS2Board: Board, ~Copyable {
    let settings: BootSettings
    var clock = TickClock()
    var flash = FlashMemory()
    var panel: PanelPort
    var bench: BenchPort
    var radio: RadioModem
    var pacing: Pacing
    var wallClock: WallClock

    init(arena: inout MemoryArena) {
        settings = BootSettings.stored
        panel = PanelPort(arena: &arena)
        bench = BenchPort(arena: &arena)
        radio = RadioModem(arena: &arena)
        pacing = settings.pacing == .free ? .free(.due) : .stepping
        wallClock = .unset
        if let calendar = settings.calendar { wallClock = .set(calendar, at: .start) }
        UART.panel.enableSending()
        UART.radio.enable()
        UART.bench.enable()
        Interrupts.enable(.alarm)
        Interrupts.enable(.radioReceived)
        Interrupts.enable(.benchReceived)
        Timer.clock.start()
    }
}

enum Pacing {
    /// Whether the bench has been told that the runtime is idle, since the runtime last worked.
    enum Report {
        case due
        case reported
    }

    case free(Report)
    /// The bench sets the clock. It runs now, because the runtime works.
    case stepping
    /// The bench sets the clock. It stands now.
    case held
}

enum WallClock {
    case unset
    case set(LocalTime, at: Instant)
}

extension BootSettings {
    static var stored: BootSettings {
        BootSettings { Register(UInt(BootSettings.address) + 4 * UInt($0)).value }
    }
}

extension MPS2Board: BoardClock {
    var now: Instant {
        @inline(never) mutating get { clock.read() }
    }

    @inline(never)
    func calendar(at instant: Instant) -> LocalTime? {
        switch wallClock {
        case .unset: nil
        case .set(let time, let since): LocalTime(seconds: time.seconds &+ (instant - since).wholeSeconds)
        }
    }

    @inline(never)
    mutating func setCalendar(_ time: LocalTime) {
        wallClock = .set(time, at: now)
    }
}

extension MPS2Board: InputSource {
    @inline(never)
    mutating func nextInput() -> TimedInput? {
        switch pacing {
        case .free:
            if bench.hasNews {
                let instant = now
                _ = bench.listen(at: instant)
            }
        case .stepping, .held:
            // Input is read from the bench while the clock stands.
            break
        }
        return bench.nextInput()
    }

    /// Zero: the bench has no touch controller, so its touches come without delay.
    var touchScanInterval: Microseconds { .zero }
}

extension MPS2Board: Panel {
    @inline(never)
    mutating func writeLine(_ line: Int, pixels: Span<UInt8>) {
        let buffer = panel.frame(line, pixels)
        beginAside()
        panel.run.hand(at: Timer.clock.ticks)
        panel.transfer(buffer)
        endAside()
    }

    /// Tells the bench when the lines of the run were sent, and from when on the runtime only waited. The port sends a line at
    /// once, so there is nothing to wait for.
    @inline(never)
    mutating func finishLines() {
        beginAside()
        let run = panel.run
        panel.run = PanelPort.Run()
        keep(.lines(run.lines, first: run.first, last: run.last, awaited: Timer.clock.ticks))
        endAside()
    }

    /// Begins work that the processor of a real watch would not do. If the bench sets the clock, it stands meanwhile.
    func beginAside() {
        if case .stepping = pacing { Timer.clock.stop() }
    }

    func endAside() {
        if case .stepping = pacing { Timer.clock.goOn() }
    }
}

extension MPS2Board: HapticDriver {
    @inline(never)
    mutating func play(_ pattern: HapticPattern) {
        keep(.haptic(pattern))
    }
}

extension MPS2Board: NORFlash {
    var flashGeometry: FlashGeometry { FlashMemory.geometry }

    var flashActivity: FlashActivity {
        @inline(never) mutating get {
            guard flash.readyAt != nil else { return .ready }
            flash.pass(now)
            return flash.readyAt == nil ? .ready : .erasing
        }
    }

    @inline(never)
    mutating func readFlash(at address: Int, into destination: inout MutableSpan<UInt8>) throws(FlashError) {
        suspendErase(at: address)
        try flash.read(at: address, into: &destination)
    }

    @inline(never)
    mutating func programFlash(at address: Int, _ bytes: Span<UInt8>) throws(FlashError) {
        suspendErase(at: address)
        try flash.program(at: address, bytes)
    }

    @inline(never)
    mutating func beginErase(sector: Int) throws(FlashError) {
        finishErase()
        try flash.beginErase(sector, at: now)
    }

    mutating func finishErase() {
        while flashActivity == .erasing {}
    }

    /// Suspends a running erase for an operation at `address`. Waits for an erase of the same sector.
    private mutating func suspendErase(at address: Int) {
        guard flashActivity == .erasing else { return }
        switch flash.suspend(at: address) {
        case .suspended: break
        case .sameSector: finishErase()
        }
    }
}

extension MPS2Board: Radio {
    var radioState: RadioState {
        @inline(never) mutating get {
            radio.service(at: now)
            return radio.state
        }
    }

    @inline(never)
    mutating func sendDatagram(_ bytes: Span<UInt8>) -> RadioOutcome {
        radio.send(bytes, at: now)
    }

    @inline(never)
    mutating func receiveDatagram(into buffer: inout MutableSpan<UInt8>) -> Int? {
        radio.receive(into: &buffer, at: now)
    }

    @inline(never)
    mutating func answerPairing(_ answer: PairingAnswer) {
        keep(.pairing(answer))
    }

    @inline(never)
    mutating func disconnectRadio() {
        radio.close(at: now)
    }
}

extension MPS2Board: TraceSink {
    @inline(never)
    mutating func trace(_ event: TraceEvent) {
        let ticks = Timer.clock.ticks
        if bench.isFull { sendNotes() }
        bench.append(.trace(event, ticks: ticks))
    }

    /// Keeps a report until the runtime is idle.
    @inline(never)
    mutating func keep(_ report: BenchReport) {
        if bench.isFull { sendNotes() }
        bench.append(report)
    }

    /// Sends the reports. If the bench sets the clock, it stands meanwhile. Otherwise the time would depend on how soon the
    /// bench reads.
    @inline(never)
    mutating func sendNotes() {
        beginAside()
        bench.sendNotes()
        endAside()
    }
}
