import Watch
import WatchLink

/// What whoever drives a watch needs of the hardware under its program, wherever that is: inputs go in, the picture and the
/// reports come out, and time can be waited for.
///
/// It belongs to the thread that runs the program, apart from `clock` and `inputs`, which every thread may use.
public protocol WatchSurface: AnyObject {
    /// The clock.
    var clock: SimulatedClock { get }
    /// The inputs on their way to the program.
    var inputs: InputQueue { get }
    /// What has come out so far.
    var output: BoardOutput { get }
    /// The newest input that the program has handled, with everything that followed from it at once.
    var handled: InputNumber { get }
    /// Whether it works.
    var condition: SurfaceCondition { get }
    /// The way to the speed of its time, and to pausing it, where there is one.
    var control: ClockControl? { get }
    /// The way to its wall clock, where there is one.
    var calendarControl: CalendarControl? { get }
    /// Waits for an event or `deadline`. It may return early.
    func idle(until deadline: Instant?)
}

extension WatchSurface {
    /// None: its time goes by itself.
    public var control: ClockControl? { nil }

    /// None: its wall clock goes by itself.
    public var calendarControl: CalendarControl? { nil }
}

/// Whether the hardware under a watch's program works.
public enum SurfaceCondition: Sendable, Equatable {
    /// It does.
    case working
    /// It has ended by itself, for good: why, in one line.
    case failed(reason: String)
}

/// A board whose outputs can be looked at from the thread that runs it, whatever flash chip it has.
public protocol HostBoard: WatchSurface, Board {
    /// Whether it can lose its power and get it back.
    static var restarts: RestartSupport { get }

    /// Does what a request asks for; the program on it then starts anew, unless the request only reads.
    ///
    /// - Returns: what is in the flash now.
    func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage
}

extension HostBoard {
    /// It cannot.
    public static var restarts: RestartSupport { .impossible }

    /// Fails: it cannot be restarted.
    public func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage { throw .impossible }

    /// The newest input that the runtime has taken. It is asked when the runtime is idle, which has handled it by then.
    public var handled: InputNumber { inputs.taken }

    /// A board made of software does not break.
    public var condition: SurfaceCondition { .working }
}
