import DeviceModel
import Watch
import WatchLink

/// A run of a watch's program, from a start until the power fails.
protocol WearerProgram: AnyObject {
    /// The time up to which the program has run. A busy program is ahead of the simulation's clock.
    var now: Instant { get }
    var due: Instant? { get }
    var haptics: HapticLog { get }
    var handled: InputNumber { get }

    /// Runs until one of these holds: no work is due by `horizon`; the program's clock has passed `horizon`; or
    /// `isInterrupted` has returned true.
    func advance(to horizon: Instant, stoppingWhen isInterrupted: () -> Bool)
    func wake(at time: Instant)
    func take(_ input: Input, at time: Instant) -> InputNumber
    /// Returns when the touch controller detects a finger that touches the panel at `time`.
    func interrupt(ofFingerAt time: Instant) -> Instant
    func describe() -> ScreenDescription
    /// Whether the panel shows the rows that `describe` returns. False while changes of other rows wait until a struck
    /// row is removed.
    var isPanelCurrent: Bool { get }
    var panelChanges: Int { get }
    func setCalendar(_ time: LocalTime)
}

struct WatchBoot {
    var flash: WearerFlash
    var pace: WatchCast.Flash
    var radio: AirRadio
    var profile: DeviceProfile
    var start: Instant
    var calendar: BoardCalendar
    /// Seeds the watch's identity and its epochs.
    var seed: UInt64
}

final class RuntimeWearerProgram<Handler: TapHandler>: WearerProgram {
    private enum Phase {
        case ready
        case idle(until: Instant?)
    }

    private let board: SimulatedBoard<WearerFlash>
    private let clock: VirtualClock
    private var program: RuntimeProgram<WearerFlash, Handler>
    private var phase = Phase.ready

    init(_ handler: Handler, _ boot: WatchBoot) throws(DeviceModelError) {
        clock = VirtualClock()
        clock.advance(to: boot.start)
        let faults = FaultSwitches()
        faults.make(.flash(boot.pace == .maximum ? .maximum : .typical), at: boot.start)
        board = try SimulatedBoard(
            flash: boot.flash, radio: boot.radio, clock: .virtual(clock), calendar: boot.calendar,
            profile: boot.profile, faults: faults)
        program = RuntimeProgram(on: board, handler: handler, seed: boot.seed)
        program.start()
    }

    var now: Instant { clock.now }

    var due: Instant? {
        switch phase {
        case .ready: clock.now
        case .idle(let deadline):
            earlier(deadline, earlier(board.eraseEnd, board.nextReport)).map { max($0, clock.now) }
        }
    }

    var haptics: HapticLog { board.output.haptics }
    var handled: InputNumber { board.handled }

    func advance(to horizon: Instant, stoppingWhen isInterrupted: () -> Bool) {
        while clock.now <= horizon {
            switch phase {
            case .ready: break
            case .idle:
                guard let due, due <= horizon else { return }
                wake(at: due)
            }
            switch program.step() {
            case .again: break
            case .idle(let deadline): phase = .idle(until: deadline)
            }
            if isInterrupted() { return }
        }
    }

    func wake(at time: Instant) {
        clock.advance(to: time)
        phase = .ready
    }

    func take(_ input: Input, at time: Instant) -> InputNumber {
        wake(at: time)
        return board.inputs.post(TimedInput(input, at: max(time, clock.now)))
    }

    func interrupt(ofFingerAt time: Instant) -> Instant { board.interrupt(ofFingerAt: time) }

    func describe() -> ScreenDescription { program.describe() }
    var isPanelCurrent: Bool { program.isPanelCurrent }
    var panelChanges: Int { board.output.screenChanges }

    func setCalendar(_ time: LocalTime) { board.setCalendar(time) }
}
