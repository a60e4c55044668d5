import Watch
import WatchLink

/// A board made of software.
///
/// It is a handle on shared state: the copy that a runtime owns and the one that its maker keeps are the same board. It
/// belongs to one thread, the runtime's, apart from `inputs` and `clock`, which every thread may use.
///
/// Every operation is charged what the device of the profile takes for it. On a virtual clock the time jumps on by that much,
/// and `idle` jumps to the next scheduled event: two runs with the same inputs give the same bytes. On the real clock the
/// thread waits until so much time has passed, and `idle` waits in poll(2).
public final class SimulatedBoard<Flash: NORFlash & ~Copyable>: HostBoard {
    /// The clock.
    public let clock: SimulatedClock
    /// Touches, the crown and the buttons, on their way to the runtime.
    public let inputs: InputQueue
    /// The flash chip itself, for tests that fail or inspect it; the runtime's way to it are the board's own methods.
    public var flash: Flash
    /// What has come out of the board so far.
    public internal(set) var output = BoardOutput()

    /// The radio, or nil for a watch whose radio hears nobody.
    let radio: (any RadioPort)?
    /// What operations take.
    let profile: DeviceProfile
    /// Where the processor's time comes from.
    package var processorWork = ProcessorWork.estimated(.measured(items: 128))
    /// Whether its program still runs.
    public internal(set) var condition = SurfaceCondition.working
    let switches: FaultSwitches
    var radioReading = RadioReading.asked
    /// The lines that are on their way to the panel.
    var panelBus = PanelBus()
    var drawing = DrawnLines.screen
    /// What was done until the stages that run began, the innermost last.
    var stageStarts: [BoardWork] = []
    /// Where it is noted what the board is busy with, for a trace; nil while nobody wants one.
    package var activities: ActivityLog?
    /// When the last charge on the real clock is over; nil before the first.
    var realEnd: Instant?
    /// The wall clock.
    public let calendarControl: CalendarControl?
    /// The last input that was taken before one was announced by the end of a wait.
    var announcedAfter: InputNumber?
    /// Whether the chip is erasing, as far as the profile is concerned.
    var eraseProgress = EraseProgress.none
    /// Where the wrist sensor sees the watch.
    public internal(set) var wrist = WristState.worn
    /// The scan in which the touch controller last saw a finger; its first scan before there was any.
    var fingerScan: Instant
    /// The longest that the finger of the newest touch may have waited for it.
    var fingerWait: Microseconds

    /// A board with a dark panel.
    ///
    /// - Parameters:
    ///   - flash: the flash chip.
    ///   - radio: the host's side of the radio; nil for a radio that hears nobody.
    ///   - clock: real or virtual.
    ///   - calendar: where the wall clock comes from.
    ///   - profile: what operations take; nothing by default.
    ///   - faults: the switches whose faults it has.
    /// - Throws: `.systemCall` when there are no descriptors left.
    public init(
        flash: consuming Flash, radio: (any RadioPort)? = nil, clock: SimulatedClock,
        calendar: BoardCalendar, profile: DeviceProfile = .instant,
        faults: FaultSwitches = FaultSwitches()
    ) throws(DeviceModelError) {
        inputs = try InputQueue()
        self.flash = flash
        self.radio = radio
        self.clock = clock
        calendarControl = CalendarControl(calendar)
        self.profile = profile
        switches = faults
        fingerScan = profile.touch.firstScan(from: clock.now)
        fingerWait = profile.touch.scanInterval
    }

    /// Gives the watch an input of the wearer's, now. Callable from every thread.
    ///
    /// - Returns: the input's number.
    @discardableResult public func post(_ input: Input) -> InputNumber {
        inputs.post(TimedInput(input, at: clock.now))
    }

    /// Gives the watch inputs of the wearer's, now, in their order.
    package func post(_ inputs: [Input]) {
        for input in inputs { post(input) }
    }
}

/// Where the processor's time of a board comes from.
package enum ProcessorWork: Sendable {
    /// From a table of what parts of the program execute.
    case estimated(CountTable)
    /// From the execution of the program's machine code, as whoever executes it reports it.
    case executed
}

/// Whether the runtime has asked for a datagram since the radio last ended a wait.
enum RadioReading {
    case asked
    case due
}

/// Whether a sector erase is under way.
enum EraseProgress {
    case none
    case erasing(SectorErase)
}

/// A sector erase in progress.
struct SectorErase {
    var sector: Int
    var until: Instant
    /// When it was begun or last resumed, before which the chip does not suspend it again.
    var resumed: Instant
}
