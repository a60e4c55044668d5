import DeviceModel
import Watch
import WatchLink

/// The simulator's interface to a watch that the emulator executes. The clock is virtual and follows the machine's cycles.
package final class MachineSurface: WatchSurface {
    package var clock: SimulatedClock { .virtual(time) }
    package let inputs: InputQueue
    package internal(set) var output = BoardOutput()
    package internal(set) var handled = InputNumber(0)
    package internal(set) var condition = SurfaceCondition.working
    let time: VirtualClock
    let radio: VirtualRadio
    let profile: DeviceProfile
    let switches: FaultSwitches
    /// The radio's traffic up to the last call of `note`. `output.work` already contains this traffic.
    private var traffic = RadioTraffic()
    /// For each running stage, the watch's total work when the stage began. The innermost stage is last.
    private var stageStarts: [BoardWork] = []
    /// The cycles for which the core slept, by cause. `output.work` has the same times in microseconds.
    private var waited: (panel: UInt64, flash: UInt64, idle: UInt64) = (0, 0, 0)
    /// How many lines the image has sent to the panel since the last `beginLines` event.
    private var lines = 0

    init(_ hardware: BenchHardware) throws(DeviceModelError) {
        inputs = try InputQueue()
        (time, radio) = (hardware.clock, hardware.radio)
        (profile, switches) = (hardware.profile, hardware.faults)
    }

    /// Advances the clock to its next event, or to the program's `deadline` if that is sooner. Does nothing if an input waits.
    package func idle(until deadline: Instant?) {
        if inputs.isEmpty { time.advanceToNextEvent(noLaterThan: deadline) }
    }

    func fail(_ reason: String) {
        guard condition == .working else { return }
        condition = .failed(reason: reason)
    }
}

extension MachineSurface {
    /// Adds what the core did since the last call.
    ///
    /// - Parameters:
    ///   - asleep: the cycles for which the core slept.
    ///   - spi: the cycles of this sleep in which SPI was busy.
    ///   - isSendingLines: whether lines are on their way to the panel. If so, the whole sleep counts for the panel. Otherwise
    ///     `spi` counts for flash, and the rest of the sleep counts as idle.
    func enter(_ code: ExecutedCode, asleep: UInt64, spi: UInt64, isSendingLines: Bool) {
        output.work.instructions += code.instructions
        output.work.cycles += code.cycles
        output.work.fewestCycles += code.fewestCycles
        output.work.mostCycles += code.mostCycles
        if isSendingLines { waited.panel += asleep } else { waited.flash += spi }
        let idle = isSendingLines ? 0 : asleep - spi
        waited.idle += idle
        output.work.spent.processor = profile.processor.time(cycles: output.work.cycles)
        output.work.spent.panel = Microseconds(waited.panel / 64)
        output.work.spent.flash = Microseconds(waited.flash / 64)
        output.work.spent.idle = Microseconds(waited.idle / 64)
        note(radio.traffic, Microseconds(idle / 64))
    }

    /// Splits an idle sleep by what the radio did meanwhile. The time on air counts as `radio`. Of the rest, the time in which
    /// data waited for a connection event counts as `window`.
    private func note(_ now: RadioTraffic, _ idle: Microseconds) {
        let onAir = min(now.onAir - traffic.onAir, idle)
        output.work.spent.radio = output.work.spent.radio + onAir
        output.work.spent.window = output.work.spent.window + min(now.waiting - traffic.waiting, idle - onAir)
        (traffic, output.work.radio) = (now, now)
    }

    func show(_ panel: MemoryPanel, _ writes: [PanelWrite]) {
        for line in writes.flatMap({ $0.window.map { Array($0.rows) } ?? [] }) {
            output.writeLine(line, pixels: panel.pixels(ofLine: line).span)
            output.work.panelLines += 1
        }
    }

    /// Adds an event of the trace to `output`. `touch` is the time of the last edge on the touch controller's interrupt line,
    /// nil if there was none. `convert` turns a time of the image's clock into a time of `clock`.
    func enter(_ event: TracedEvent, touch: Instant?, _ convert: (UInt32) -> Instant) {
        let now = time.now
        switch event {
        case .mark(let mark, let tap, let at):
            let margin = profile.processor.margin(of: output.work)
            let reached =
                switch mark {
                case .touch: touch ?? now
                case .settled, .committed: convert(at)
                case .handled, .updated, .durable, .sent, .acknowledged: now
                }
            output.change(tap) { $0.reached(mark, at: reached, margin) }
            if mark == .touch { output.beginTap(handled) }
        case .stageBegan(let name, let tap):
            output.change(tap) { $0.stageBegan(name, at: now) }
            stageStarts.append(output.work)
        case .stageEnded(let name, let tap): output.endStage(name, tap, at: now, since: stageStarts.popLast())
        // A touch belongs to the new screen once the touch controller has scanned since the change.
        case .screenChanged: output.enter(TraceEvent.screenChanged(at: now + profile.touch.longestWait))
        case .moment(let moment, let from, _): output.enter(TraceEvent.moment(moment, from: convert(from), at: now))
        case .journalFailed(let error): output.enter(TraceEvent.journalFailed(error, at: now))
        case .haptic(let pattern):
            output.work.hapticPatterns += 1
            output.playFelt(pattern, at: now, profile.haptic)
        case .input: radio.wearerActed(at: now)
        case .beginLines: lines = 0
        case .line: lines += 1
        // The runtime sends a screen in parts of 20 lines, so that a touch never waits for a whole screen.
        case .finishLines: output.wasPartOfScreen = lines == 20
        case .messageWork, .datagram, .shownLines, .started, .stepping, .stepped, .described, .handler, .name, .named:
            break
        }
    }
}
