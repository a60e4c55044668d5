import DeviceModel
import Glibc
import Watch
import WatchLink

/// Draws a watch on the terminal, and sends the user's keys and clicks to the watch. It runs on one thread, which the device
/// wakes through a descriptor.
final class ScreenSession<Device: WatchDevice> {
    private enum Pointer {
        /// The mouse button is down, but not on the watch's display. Its release performs the command.
        case down(at: CellPoint, Aim)
        /// The release does nothing: the pointer has moved since the press, or the row under it changed so shortly before the press
        /// that the user meant another item.
        case dragged
        /// The mouse button is down on the watch's display, and the pointer is still in the cell of the press. For the watch, a
        /// finger touches the display there.
        case touching(at: CellPoint, Aim)
        case moving(at: CellPoint)
    }

    private struct Aim {
        var command: TerminalCommand
        var item: UInt32?
    }

    private struct SentTouch {
        var number: InputNumber
        var item: UInt32
    }

    private static var hapticLength: Microseconds { .milliseconds(400) }

    private let device: Device
    private let screen: TickitScreen
    private let signals: SignalPipe
    private let stopProgram: () -> Void
    private var scene: TerminalScene
    /// Whether the view moves to the cells that change. After a click or a pan, the view stays in place until a key or the
    /// wheel sends an input to the watch.
    private var followsWatch = true
    /// Nil while no mouse button is down.
    private var pointer: Pointer?
    /// Whether the terminal reports releases of the mouse button. Becomes false after two presses without a release between
    /// them. Then each press counts as a whole click until a release comes.
    private var hasReleases = true
    private var rowChanges = RowChanges()
    /// Returns this machine's time, for `rowChanges`. The watch's clock may run at another speed.
    private let time: () -> Instant
    private var touches: [SentTouch] = []
    private var exitReason: ExitReason?
    private var patternsOver: Int
    private var patternEnds: Instant?

    /// The parameter `time` returns this machine's time. The parameter `stopProgram` suspends this program, and returns when
    /// the shell continues the program.
    init(
        device: Device, label: WatchLabel, view: ViewPreference = .automatic, graphics: TerminalGraphics = .none,
        remark: String? = nil, screen: TickitScreen, signals: SignalPipe,
        time: @escaping () -> Instant = { [clock = HostClock()] in clock.outside }, stopProgram: @escaping () -> Void
    ) {
        self.time = time
        self.device = device
        self.screen = screen
        self.signals = signals
        self.stopProgram = stopProgram
        scene = TerminalScene(size: screen.size, label: label)
        scene.view = view
        scene.graphics = graphics
        scene.status.remark = remark
        patternsOver = device.snapshot.haptics.count
    }

    func run() -> ExitReason {
        start()
        while true {
            if let reason = turn(milliseconds: timeout) {
                RecordingKey.end(device)
                return reason
            }
        }
    }

    func start() {
        screen.watch(device.changes.descriptor)
        screen.watch(signals.descriptor)
    }

    /// Draws the watch, waits at most `milliseconds` for an event, and handles the events. Nil means no limit. Returns a reason
    /// if the session must end.
    func turn(milliseconds: Int?) -> ExitReason? {
        update()
        if let exitReason { return exitReason }
        screen.show(scene.picture(), scene.image)
        for event in screen.wait(milliseconds: milliseconds) { handle(event) }
        return exitReason
    }

    /// The milliseconds until the picture changes by itself. Nil if only an event can change it.
    private var timeout: Int? {
        patternEnds.map { Int(clamping: ($0 - device.now).count / 1_000 + 1) }
    }

    private func update() {
        let snapshot = device.snapshot
        if case .failed(let reason) = snapshot.phase { exitReason = .watchFailed(reason: reason) }
        let count = snapshot.haptics.count
        if let ends = patternEnds, ends <= device.now {
            patternsOver = count
            patternEnds = nil
        } else if count > patternsOver, let last = snapshot.haptics.pulses.last {
            patternEnds = last.time + Self.hapticLength
        }
        let picture = scene.layout.picture.size
        let changed = Viewport.changed(from: scene.frame.bytes, to: snapshot.frame.bytes, in: picture)
        scene.frame = snapshot.frame
        rowChanges.note((0..<RowGeometry.rowsVisible).map { snapshot.description.item(at: $0) }, at: time())
        scene.status = WatchStatus(
            label: scene.status.label, snapshot: snapshot, patternsOver: patternsOver, simulation: device.simulation,
            isRecording: device.recorder.isOn, battery: device.shownBattery,
            remark: remark(on: snapshot))
        if followsWatch, let changed { look(at: changed) }
    }

    /// Returns the remark to show. The present remark stays until the watch has handled a touch of an item. If the touch missed
    /// the item, the new remark says that the row moved. If the touch hit the item, the remark becomes nil.
    private func remark(on snapshot: WatchSnapshot) -> String? {
        var remark = scene.status.remark
        for touch in touches where touch.number <= snapshot.handled {
            let row = snapshot.description.rows.first { $0.id == touch.item }
            let isMissed = row?.state == .waiting && snapshot.description.notice != .notStored
            remark = isMissed && snapshot.description.screen == .list ? Self.moved : nil
        }
        touches.removeAll { $0.number <= snapshot.handled }
        return remark
    }

    private func look(at cells: CellRect) {
        var viewport = scene.viewport
        viewport.follow(cells)
        scene.origin = viewport.origin
    }

    private func handle(_ event: ScreenEvent) {
        switch event {
        case .key(let key):
            switch scene.cover {
            case .none: perform(key: aim(KeyMap.command(for: key)))
            case .help: perform(KeyMap.commandInHelp(for: key))
            case .faults: perform(KeyMap.commandInFaults(for: key))
            }
        case .press(let point): press(at: point)
        case .drag(let point): drag(to: point)
        case .release(let point):
            hasReleases = true
            // The terminal may not have reported the last motion. Then the pointer moved to the cell of the release.
            drag(to: point)
            release()
        case .wheel(let notches): perform(.input(.crown(detents: notches)))
        case .pasted: scene.status.remark = "pasted text ignored"
        case .resized(let size):
            scene.size = size
            // The user may have changed the font.
            if case .some(let type, _) = scene.graphics, let cell = screen.cellSize {
                scene.graphics = .some(type, cell: cell)
            }
            screen.invalidate()
        case .readable(signals.descriptor): signals.drain().forEach(handle(signal:))
        case .readable: device.changes.drain()
        case .hungUp: exitReason = .terminalGone
        }
    }

    private func handle(signal: CInt) {
        switch signal {
        case SIGWINCH: screen.refreshSize()
        case SIGTSTP: screen.suspend(during: stopProgram)
        // Another process stopped this one, and the shell has changed the terminal's modes. So this program takes control of
        // the terminal again.
        case SIGCONT: screen.suspend {}
        case SIGINT: exitReason = .asked
        default: exitReason = .signal(signal)
        }
    }

    private func press(at point: CellPoint) {
        if pointer != nil { hasReleases = false }
        let aim = aim(scene.command(forPressAt: point))
        if case .touch(let pixel) = aim.command {
            if isAsShown(aim) {
                send([pixel.touch])
                // The user clicks on what is visible, so the view must not move away from the pointer.
                followsWatch = false
                pointer = .touching(at: point, aim)
            } else {
                scene.status.remark = Self.moved
                pointer = .dragged
            }
        } else {
            pointer = .down(at: point, aim)
        }
        if !hasReleases { release() }
    }

    private func drag(to point: CellPoint) {
        switch pointer {
        case nil, .dragged: break
        case .down(let pressed, _): if pressed != point { pointer = .dragged }
        case .touching(let cell, _), .moving(let cell):
            guard cell != point else { return }
            device.send(scene.pixel(under: point).moved)
            pointer = .moving(at: point)
        }
    }

    private func release() {
        defer { pointer = nil }
        switch pointer {
        case nil, .dragged: break
        case .down(_, let aim):
            perform(aim)
            followsWatch = false
        case .touching(let cell, let aim):
            lift(from: cell)
            if let item = aim.item {
                scene.status.remark = nil
                touches.append(SentTouch(number: device.sent, item: item))
            }
        case .moving(let cell): lift(from: cell)
        }
    }

    private func lift(from cell: CellPoint) {
        device.send(scene.pixel(under: cell).lifted)
    }

    private func aim(_ command: TerminalCommand) -> Aim {
        Aim(command: command, item: scene.item(under: command))
    }

    private func isAsShown(_ aim: Aim) -> Bool {
        guard let item = aim.item, let position = aim.command.position else { return true }
        return device.snapshot.description.item(at: position) == item
    }

    private static var moved: String { "the row moved" }

    /// Performs a key's command. If the item of the key's row has changed in the last 300 ms, shows a remark instead.
    private func perform(key aim: Aim) {
        if let position = aim.command.position, rowChanges.hasMoved(at: position, before: time()) {
            scene.status.remark = Self.moved
        } else {
            perform(aim)
        }
    }

    /// Performs a command. If its row on the watch no longer holds the item that the terminal shows, shows a remark instead.
    private func perform(_ aim: Aim) {
        guard let item = aim.item else { return perform(aim.command) }
        guard isAsShown(aim) else {
            scene.status.remark = Self.moved
            return
        }
        scene.status.remark = nil
        perform(aim.command)
        touches.append(SentTouch(number: device.sent, item: item))
    }

    private func perform(_ command: TerminalCommand) {
        switch command {
        case .input(let input): send([input])
        case .touch(let pixel): send([pixel.touch, pixel.lifted])
        case .tapVisibleRow(let position):
            guard scene.showsRow(at: position) else { return }
            send(.tap(row: position))
            let middle = RowGeometry.rowTop(position) + RowGeometry.rowHeight / 2
            look(at: Viewport.touched(y: middle, in: scene.layout.picture.size))
        case .scroll(let detents):
            if [.list, .past].contains(scene.status.description.screen) { send([.crown(detents: detents)]) }
        case .adjust(let adjustment): send(adjustment.inputs(on: scene.status.description))
        case .nextView: scene.nextView.map { scene.view = .always($0) }
        case .pan(let columns, let rows):
            followsWatch = false
            var viewport = scene.viewport
            viewport.pan(
                columns: columns * max(1, viewport.window.columns / 2), rows: rows * max(1, viewport.window.rows / 2))
            scene.origin = viewport.origin
        case .toggleHelp: scene.cover = scene.coverAfterHelp
        case .toggleFaults:
            scene.cover = scene.cover == .faults ? .none : .faults
        case .toggleRecording: scene.status.remark = RecordingKey.toggle(device)
        case .togglePause: device.control?.togglePause()
        case .step: device.control?.step()
        case .faster: device.control.map { $0.set($0.state.speed.faster) }
        case .slower: device.control.map { $0.set($0.state.speed.slower) }
        case .change(let fault):
            if let faults = device.faults?.faults { device.make(fault.next(faults)) }
        case .redraw: screen.invalidate()
        case .suspend: screen.suspend(during: stopProgram)
        case .quit: exitReason = .asked
        case .nothing: break
        }
    }

    private func send(_ inputs: [Input]) {
        followsWatch = true
        device.send(inputs)
    }
}

extension WatchDevice {
    fileprivate var simulation: WatchStatus.Simulation? {
        control.map { WatchStatus.Simulation(clock: $0.state, faults: faults?.faults ?? WatchFaults()) }
    }
}

extension ClockControl {
    fileprivate func togglePause() {
        if state.isPaused { resume() } else { pause() }
    }
}

/// The times at which the items in the visible rows were last replaced by other items.
///
/// A user who presses the key of a row means the item that was there when the finger began to move, not an item that came
/// later.
struct RowChanges {
    /// After an item in a row has been replaced by another item, the row's key taps nothing for this time. A simple reaction
    /// takes about 230 ms (Woods and others, "Factors influencing the latency of simple reaction time", 2015). The keyboard and
    /// the terminal add to that.
    static let reaction = Microseconds(300_000)

    private var items: [UInt32?] = []
    private var changes: [Int: Instant] = [:]

    /// Records the positions whose item has changed. A position that was or is empty does not count.
    mutating func note(_ shown: [UInt32?], at time: Instant) {
        for (position, (before, now)) in zip(items, shown).enumerated() {
            if let before, let now, before != now { changes[position] = time }
        }
        items = shown
    }

    /// Whether another item replaced the item at this position less than 300 ms before `time`. A key at `time` may then mean
    /// the replaced item.
    func hasMoved(at position: Int, before time: Instant) -> Bool {
        changes[position].map { time < $0 + RowChanges.reaction } ?? false
    }
}

/// Starts a recording, or ends it and writes a GIF file into the working directory.
enum RecordingKey {
    static func toggle(_ device: some WatchDevice) -> String? {
        if device.recorder.isOn { return end(device) }
        // If a script has started a recording just now, that recording continues.
        return device.recorder.begin(device.snapshot.frame, at: device.now, into: name()).map { "\($0) is recorded" }
    }

    @discardableResult
    static func end(_ device: some WatchDevice) -> String? {
        switch device.endRecording() {
        case .none: nil
        case .written(_, let path): "wrote \(path)"
        case .notWritten(let reason, let path): "\(path): \(reason)"
        }
    }

    /// Returns a file name with the local time, such as `tapline-20261120-100830.gif`.
    private static func name() -> String {
        var seconds = Glibc.time(nil)
        var fields = tm()
        localtime_r(&seconds, &fields)
        let date = (fields.tm_year + 1_900) * 10_000 + (fields.tm_mon + 1) * 100 + fields.tm_mday
        let time = fields.tm_hour * 10_000 + fields.tm_min * 100 + fields.tm_sec
        return "tapline-\(date)-\(String(1_000_000 + time).dropFirst()).gif"
    }
}
