import DeviceModel
import Emulator
import Glibc
import HostSystem
import TerminalWatch
import WatchLink

/// A session in which a user operates an emulated machine in a terminal. The panel is in colour, the mouse is the finger, and
/// keys are the watch's buttons. The machine runs in real time, on one thread.
final class MachineSession {
    private enum Progress {
        case running
        case paused
        /// The firmware crashed; the panel stays until the user leaves.
        case crashed(String)
        case ended(ExitReason)
    }

    private enum Finger {
        case away
        case down(since: UInt64)
        /// The user has released the mouse, but the finger stays on the panel until this cycle. Otherwise the touch
        /// controller could miss a short click.
        case lifting(at: UInt64)
    }

    private enum Button {
        case up
        /// The button stays down until this cycle; nil if it stays down until the user releases it.
        case down(until: UInt64?)
    }

    private static let keys =
        "mouse finger · b button (B holds it) · c charger · ↑ ↓ crown · p pause · q quit · any key: back"
    /// If the host was slow, the machine catches up by at most this many cycles (100 ms), and skips the rest of the delay.
    private static let mostDebt: UInt64 = 6_400_000
    /// Milliseconds between two pictures.
    private static let period = 25

    private let screen: TickitScreen
    private let signals: SignalPipe
    private let graphics: TerminalGraphics
    private let clock = HostClock()
    private var runner: MachineRunner
    private var layout: ColourScreen
    private var progress = Progress.running
    private var button = Button.up
    private var finger = Finger.away
    private var showsKeys = false
    private var shown: ColourPicture?
    private let remarks: Remarks
    /// The number of rows above the status line that show the newest `remarks`.
    private let consoleRows: Int

    private final class Remarks {
        var lines: [String] = []

        func add(_ line: String) { lines = lines.suffix(15) + [line] }
    }

    /// Shows the machine until the user quits, a signal ends the session, or the terminal is closed. Then restores the
    /// terminal. Returns why the session ended, and the machine in its last state.
    static func run(
        _ machine: Machine, phone: PhoneLine?, seed: UInt64, debugger: DebuggerPort? = nil, hasConsole: Bool = false,
        descriptors: TerminalSession.Descriptors = TerminalSession.Descriptors()
    ) throws(TerminalError) -> (reason: ExitReason, machine: Machine) {
        let signals = try SignalPipe([SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT])
        defer { signals.close() }
        JobControl.awaitForeground(of: descriptors.output)
        CrashGuard.start(descriptor: descriptors.output)
        defer { CrashGuard.stop() }
        let probe = GraphicsProbe(input: descriptors.input, output: descriptors.output)
        let type = descriptors.environment.terminalType ?? TickitScreen.fallbackType
        let screen = try TickitScreen(input: descriptors.input, output: descriptors.output, type: type)
        defer { screen.close() }
        screen.take(typed: probe.typed)
        signals.install()
        let session = MachineSession(machine, phone, seed: seed, debugger, hasConsole, probe.graphics, screen, signals)
        let reason = session.run()
        screen.send(session.layout.removal)
        return (reason, session.runner.machine)
    }

    private init(
        _ machine: Machine, _ phone: PhoneLine?, seed: UInt64, _ debugger: DebuggerPort?, _ hasConsole: Bool,
        _ graphics: TerminalGraphics, _ screen: TickitScreen, _ signals: SignalPipe
    ) {
        (self.screen, self.signals, self.graphics) = (screen, signals, graphics)
        let remarks = Remarks()
        self.remarks = remarks
        runner = MachineRunner(
            machine, phone: phone, file: "terminal", seed: seed, debugger: debugger, hasConsole: hasConsole
        ) { remarks.add(String($0.dropLast())) }
        consoleRows = hasConsole ? 8 : 0
        layout = MachineSession.layout(machine, graphics, screen, below: consoleRows)
    }

    private static func layout(
        _ machine: Machine, _ graphics: TerminalGraphics, _ screen: TickitScreen, below rows: Int
    ) -> ColourScreen {
        let size = machine.board.model.panelSize
        let room = CellSize(columns: screen.size.columns, rows: screen.size.rows - rows)
        let panel = PictureSize(width: size.width, height: size.height)
        switch graphics {
        case .none:
            let hasAllColours = ["truecolor", "24bit"].contains(GraphicsProbe.variable("COLORTERM") ?? "")
            return ColourScreen(
                method: .blocks(hasAllColours: hasAllColours), cell: PixelSize(width: 1, height: 2), panel: panel,
                in: room)
        case .some(let type, let cell):
            return ColourScreen(
                method: type == .kitty ? .kitty : .sixel, cell: screen.cellSize ?? cell, panel: panel, in: room)
        }
    }

    // MARK: Time

    private func run() -> ExitReason {
        screen.watch(signals.descriptor)
        var (time, cycle) = (clock.outside, runner.machine.now)
        while true {
            if case .ended(let reason) = progress { return reason }
            draw()
            let isDebugged = !runner.answerDebugger(waiting: 0)
            let now = runner.machine.now
            let isRunning = isRunning && !isDebugged
            let wanted = isRunning ? cycle + (clock.outside - time).count * 64 : now
            advance(to: min(wanted, now + MachineSession.mostDebt))
            // The machine falls behind real time if the host is slow, and stands still during a pause.
            let isBehind = wanted > now + MachineSession.mostDebt
            if isBehind || !isRunning { (time, cycle) = (clock.outside, runner.machine.now) }
            // A debugger sends many short questions.
            let pause = isDebugged ? 1 : MachineSession.period
            for event in screen.wait(milliseconds: isBehind ? 0 : pause) { handle(event) }
        }
    }

    private var isRunning: Bool { if case .running = progress { true } else { false } }

    private func advance(to cycle: UInt64) {
        do throws(ScriptError) {
            while let release, release.cycle <= cycle {
                try runner.advance(to: release.cycle, waits: false)
                guard runner.machine.now >= release.cycle else { return }
                try runner.apply(release.input)
                if release.input == .touchUp { finger = .away } else { button = .up }
            }
            try runner.advance(to: cycle, waits: false)
        } catch {
            progress = .crashed("\(error.problem)")
        }
    }

    /// The next time at which the session itself lifts the finger or releases the button, and the input that does so. Nil if
    /// neither is due.
    private var release: (cycle: UInt64, input: WearerInput)? {
        var next: (cycle: UInt64, input: WearerInput)?
        if case .lifting(let cycle) = finger { next = (cycle, .touchUp) }
        if case .down(let cycle?) = button, cycle < next?.cycle ?? .max { next = (cycle, .release(.side)) }
        return next
    }

    private func apply(_ input: WearerInput) {
        do throws(ScriptError) { try runner.apply(input) } catch { remarks.add("\(error.problem)") }
    }

    // MARK: Picture

    private func draw() {
        var canvas = TextCanvas(size: screen.size)
        for (row, line) in remarks.lines.suffix(consoleRows).enumerated() {
            canvas.write(line, at: CellPoint(column: 0, row: screen.size.rows - 1 - consoleRows + row), style: .plain)
        }
        canvas.write(status, at: CellPoint(column: 0, row: screen.size.rows - 1), style: .bold)
        screen.show(canvas)
        let picture = runner.machine.board.picture.colours
        guard picture != shown else { return }
        shown = picture
        for (row, text) in layout.texts(picture) {
            screen.print(text, at: CellPoint(column: layout.place.origin.column, row: layout.place.origin.row + row))
        }
    }

    private var status: String {
        if showsKeys { return MachineSession.keys }
        let machine = runner.machine
        let awake = machine.now == 0 ? 100 : 100 - machine.asleep * 100 / machine.now
        let seconds = machine.now / Machine.cyclesPerSecond
        let state =
            switch progress {
            case .running: ""
            case .paused: " · paused"
            case .crashed(let reason): " · \(reason)"
            case .ended: ""
            }
        let motor = machine.board.motor.load.state == .off ? "" : " · motor"
        let link = machine.part.air.central?.connectionTiming == nil ? "" : " · connected"
        let charger =
            switch machine.board.battery.charger {
            case .unplugged: ""
            case .charging: " · charging"
            case .full: " · full, on the charger"
            }
        let remark = consoleRows > 0 ? "" : remarks.lines.last ?? ""
        return "\(seconds) s · awake \(awake) %\(motor)\(link)\(charger)\(state) · ? keys  \(remark)"
    }

    private func redraw() {
        screen.invalidate()
        shown = nil
    }

    // MARK: Input

    private func handle(_ event: ScreenEvent) {
        switch event {
        case .key(let key): press(key)
        case .press(let point):
            guard let (x, y) = layout.pixel(under: point) else { return }
            apply(.touchDown(x: x, y: y))
            finger = .down(since: runner.machine.now)
        case .drag(let point):
            guard case .down = finger, let (x, y) = layout.pixel(under: point) else { return }
            apply(.touchMove(x: x, y: y))
        case .release:
            guard case .down(let start) = finger else { return }
            finger = .lifting(at: max(runner.machine.now, start + MachineCommand.tapTime.count * 64))
        case .wheel(let notches): apply(.turnCrown(detents: Int(notches)))
        case .pasted: break
        case .resized:
            layout = MachineSession.layout(runner.machine, graphics, screen, below: consoleRows)
            redraw()
        case .readable(signals.descriptor): signals.drain().forEach(handle(signal:))
        case .readable: break
        case .hungUp: progress = .ended(.terminalGone)
        }
    }

    private func press(_ key: KeyPress) {
        if showsKeys { return showsKeys = false }
        switch key {
        case .text("b"): click()
        case .text("B"):
            switch button {
            case .up:
                apply(.press(.side))
                button = .down(until: nil)
            case .down:
                apply(.release(.side))
                button = .up
            }
        case .text("c"):
            switch runner.machine.board.battery.charger {
            case .unplugged: apply(.charger(.charging))
            case .charging: apply(.charger(.full))
            case .full: apply(.charger(.unplugged))
            }
        case .text("p"):
            switch progress {
            case .running: progress = .paused
            case .paused: progress = .running
            case .crashed, .ended: break
            }
        case .text("?"), .text("h"): showsKeys = true
        case .text("q"), .named("C-c"):
            if case .crashed(let reason) = progress {
                progress = .ended(.watchFailed(reason: reason))
            } else {
                progress = .ended(.asked)
            }
        case .named("Up"): apply(.turnCrown(detents: -1))
        case .named("Down"): apply(.turnCrown(detents: 1))
        case .named("C-l"): redraw()
        case .named("C-z"): suspend()
        case .text, .named: break
        }
    }

    /// Presses the side button for 100 ms of the machine's time. If the key is pressed again or repeats meanwhile, the button
    /// stays down until 150 ms after the last press or repeat.
    private func click() {
        let now = runner.machine.now
        switch button {
        case .up:
            apply(.press(.side))
            button = .down(until: now + 64_000 * 100)
        case .down(until: _?): button = .down(until: now + 64_000 * 150)
        case .down(until: nil): break
        }
    }

    private func suspend() {
        screen.suspend(during: JobControl.stop)
        redraw()
    }

    private func handle(signal: CInt) {
        switch signal {
        case SIGWINCH: screen.refreshSize()
        case SIGTSTP: suspend()
        case SIGCONT:
            screen.suspend {}
            redraw()
        case SIGINT: progress = .ended(.asked)
        case _: progress = .ended(.signal(signal))
        }
    }
}
