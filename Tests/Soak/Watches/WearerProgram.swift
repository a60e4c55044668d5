import DeviceModel
import Watch
import WatchLink

/// A watch's program while it has power.
protocol WearerProgram: AnyObject {
    /// The time up to which it has run: ahead of the simulation's while it is busy.
    var now: Instant { get }
    /// When its next work is due; nil while it waits for an event.
    var due: Instant? { get }
    var haptics: HapticLog { get }
    var handled: InputNumber { get }

    /// Runs until it is idle, later than `horizon` or has sent something.
    func advance(to horizon: Instant, stoppingWhen isInterrupted: () -> Bool)
    func wake(at time: Instant)
    func take(_ input: Input, at time: Instant) -> InputNumber
    /// When its touch controller sees a finger that comes down at `time`.
    func interrupt(ofFingerAt time: Instant) -> Instant
    func describe() -> ScreenDescription
    /// Whether the panel shows the rows of the description: while a row is held, changes of the others wait.
    var isPanelCurrent: Bool { get }
    var panelChanges: Int { get }
    func setCalendar(_ time: LocalTime)
}

struct WatchBoot {
    var flash: WearerFlash
    var pace: WatchCast.Flash
    var radio: AirRadio
    var profile: DeviceProfile
    /// The time on the simulation's clock, and what the watch's wall clock shows then.
    var start: Instant
    var calendar: BoardCalendar
    /// Randomness for its identity and its epochs.
    var seed: UInt64
}

/// A run of the runtime on a simulated board.
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
