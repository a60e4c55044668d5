import DeviceModel
import Glibc
import Watch
import WatchLink

/// A watch in a terminal, as pixels: shows what the device shows and hands the user's doings to it.
///
/// Lives on one thread. The device's thread wakes it through a descriptor.
final class BrailleSession<Device: WatchDevice> {
    private enum Progress {
        case running
        case ended(ExitReason)
    }

    /// How long a haptic pattern is shown: long enough to be noticed.
    private static var hapticLength: Microseconds { .milliseconds(400) }

    private let device: Device
    private let screen: TickitScreen
    private let signals: SignalPipe
    private let stopProgram: () -> Void
    private var scene: TerminalScene
    private var tracking = ViewTracking.following
    private var progress = Progress.running
    /// The haptic patterns that are over, and when the newest one will be.
    private var patternsOver = 0
    private var patternEnds: Instant?

    /// A session on a screen that was just opened; `stopProgram` stops the program until its job is continued.
    init(
        device: Device, name: String, screen: TickitScreen, signals: SignalPipe, stopProgram: @escaping () -> Void
    ) {
        self.device = device
        self.screen = screen
        self.signals = signals
        self.stopProgram = stopProgram
        scene = TerminalScene(size: screen.size, name: name)
        patternsOver = device.snapshot.haptics.count
    }

    /// Shows the watch until there is a reason to end.
    func run() -> ExitReason {
        start()
        while true {
            if let reason = turn(milliseconds: timeout) { return reason }
        }
    }

    /// Listens to the device and to signals.
    func start() {
        screen.watch(device.changes.descriptor)
        screen.watch(signals.descriptor)
    }

    /// Shows the watch as it is, waits until something happens or the time is over, and follows it. Returns the reason to end
    /// where there is one.
    func turn(milliseconds: Int?) -> ExitReason? {
        update()
        if case .ended(let reason) = progress { return reason }
        screen.show(scene.picture())
        for event in screen.wait(milliseconds: milliseconds) { handle(event) }
        switch progress {
        case .running: return nil
        case .ended(let reason): return reason
        }
    }

    /// Milliseconds until the picture changes by itself, nil if it does not.
    private var timeout: Int? {
        patternEnds.map { Int(clamping: ($0 - device.now).count / 1_000 + 1) }
    }

    /// Takes over what is new on the device.
    private func update() {
        let snapshot = device.snapshot
        switch snapshot.phase {
        case .running, .stopped: break
        case .failed(let reason): progress = .ended(.watchFailed(reason: reason))
        }
        let count = snapshot.haptics.count
        if let ends = patternEnds, ends <= device.now {
            patternsOver = count
            patternEnds = nil
        } else if count > patternsOver, let last = snapshot.haptics.pulses.last {
            patternEnds = last.time + Self.hapticLength
        }
        let changed = FrameFocus.changed(from: scene.frame.bytes, to: snapshot.frame.bytes)
        scene.frame = snapshot.frame
        scene.description = snapshot.description
        scene.status = WatchStatus(
            name: scene.status.name, snapshot: snapshot, patternsOver: patternsOver, control: device.laboratory)
        switch tracking {
        case .following: if let changed { look(at: changed) }
        case .held: break
        }
    }

    private func look(at cells: CellRect) {
        guard var viewport = scene.viewport else { return }
        viewport.follow(cells)
        scene.origin = viewport.origin
    }

    private func handle(_ event: ScreenEvent) {
        switch event {
        case .terminal(.key(let key)):
            switch scene.cover {
            case .none: perform(KeyMap.command(for: key))
            case .help: perform(KeyMap.command(for: key).whileHelpIsShown)
            case .faults: perform(KeyMap.commandInFaults(for: key))
            }
        case .terminal(.mouse(.press(let point))): perform(scene.command(forPressAt: point))
        case .terminal(.mouse(.wheel(let notches))): perform(.input(.crown(detents: notches)))
        case .terminal(.resized(let size)):
            scene.size = size
            screen.invalidate()
        case .readable(signals.descriptor): signals.drain().forEach(handle(signal:))
        case .readable: device.changes.drain()
        case .hungUp: progress = .ended(.terminalGone)
        }
    }

    private func handle(signal: CInt) {
        switch signal {
        case SIGWINCH: screen.refreshSize()
        case SIGTSTP: screen.suspend(during: stopProgram)
        // The program was stopped without being asked: the shell has set the terminal's modes since.
        case SIGCONT: screen.suspend {}
        case SIGINT: progress = .ended(.asked)
        default: progress = .ended(.signal(signal))
        }
    }

    private func perform(_ command: TerminalCommand) {
        switch command {
        case .input(let input): send(input)
        case .tapVisibleRow(let position):
            guard scene.showsRow(at: position) else { return }
            send(PointerTargets.row(at: position))
        case .openComplication: send(PointerTargets.complication)
        case .pan(let columns, let rows):
            guard var viewport = scene.viewport else { return }
            tracking = .held
            viewport.pan(
                columns: columns * max(1, viewport.window.columns / 2), rows: rows * max(1, viewport.window.rows / 2))
            scene.origin = viewport.origin
        case .toggleHelp:
            switch scene.cover {
            case .none, .faults: scene.cover = .help
            case .help: scene.cover = .none
            }
        case .toggleFaults:
            switch scene.cover {
            case .none, .help: scene.cover = .faults
            case .faults: scene.cover = .none
            }
        case .togglePause: device.togglePause()
        case .step: device.control?.step()
        case .changeSpeed(let change): device.change(change)
        case .change(let entry):
            if let faults = device.faults?.faults { device.make(entry.next(after: faults)) }
        case .redraw: screen.invalidate()
        case .suspend: screen.suspend(during: stopProgram)
        case .quit: progress = .ended(.asked)
        case .nothing: break
        }
    }

    /// Hands an input to the watch and looks at where it was made.
    private func send(_ input: Input) {
        tracking = .following
        device.send(input)
        switch input {
        case .touch(_, let y): look(at: FrameFocus.touched(y: Int(y)))
        case .crown, .press, .pairing: break
        }
    }
}

extension TerminalCommand {
    /// What a command means while the help is shown: keys that work the watch put the help away.
    fileprivate var whileHelpIsShown: TerminalCommand {
        switch self {
        case .quit, .suspend, .redraw: self
        case .input, .tapVisibleRow, .openComplication, .pan, .togglePause, .step, .changeSpeed, .toggleFaults, .change,
            .toggleHelp, .nothing:
            .toggleHelp
        }
    }
}

extension WatchDevice {
    /// How its time goes and what is wrong with it, where that can be changed.
    fileprivate var laboratory: WatchStatus.Control {
        guard let control else { return .none }
        return .some(control.state, faults?.faults ?? WatchFaults())
    }

    /// Stops its time, or lets it go on.
    fileprivate func togglePause() {
        guard let control else { return }
        if control.state.isPaused { control.resume() } else { control.pause() }
    }

    /// Lets its time go faster or slower.
    fileprivate func change(_ change: SpeedChange) {
        guard let control else { return }
        switch change {
        case .faster: control.set(control.state.speed.faster)
        case .slower: control.set(control.state.speed.slower)
        }
    }
}
