import Watch
import WatchLink

/// A board made of software.
///
/// It is a handle on shared state: the copy that a runtime owns and the one that its maker keeps are the same board. It
/// belongs to one thread, the runtime's, apart from `inputs` and `clock`, which every thread may use.
///
/// On the real clock operations take as long as this machine needs, and `idle` waits in poll(2). On a virtual clock every
/// operation is charged what the device takes for it, and `idle` jumps to the next scheduled event: two runs with the same
/// inputs give the same bytes.
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
    /// What operations take on a virtual clock.
    let timing: DeviceTiming
    /// Where the wall clock comes from.
    var calendarSource: BoardCalendar
    /// Whether the chip is erasing, as far as the virtual clock is concerned.
    var eraseProgress = EraseProgress.none

    /// A board with a dark panel.
    ///
    /// - Parameters:
    ///   - flash: the flash chip.
    ///   - radio: the host's side of the radio; nil for a radio that hears nobody.
    ///   - clock: real or virtual.
    ///   - calendar: where the wall clock comes from.
    ///   - timing: what operations take; it counts on a virtual clock only.
    /// - Throws: `.systemCall` when there are no descriptors left.
    public init(
        flash: consuming Flash, radio: (any RadioPort)? = nil, clock: SimulatedClock,
        calendar: BoardCalendar, timing: DeviceTiming = .device
    ) throws(DeviceModelError) {
        inputs = try InputQueue()
        self.flash = flash
        self.radio = radio
        self.clock = clock
        calendarSource = calendar
        self.timing = timing
    }

    /// Lets the wearer do `input` now. Callable from every thread.
    ///
    /// - Returns: the input's number.
    @discardableResult public func post(_ input: Input) -> InputNumber {
        inputs.post(TimedInput(input, at: clock.now))
    }

    /// Charges `length` to a virtual clock. On the real one the time has passed by itself.
    func charge(_ length: Microseconds) {
        switch clock {
        case .real: break
        case .virtual(let clock): clock.advance(by: length)
        }
    }
}

/// Whether a sector erase is under way on a virtual clock.
enum EraseProgress {
    /// No erase is under way.
    case none
    /// The erase ends at this time.
    case erasing(until: Instant)
}
