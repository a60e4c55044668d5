import Watch
import WatchLink

/// A watch's program: the runtime on a simulated board, the firmware in an emulator, or a smaller one in a test.
public protocol WatchProgram: ~Copyable, SendableMetatype {
    associatedtype Surface: WatchSurface

    var surface: Surface { get }

    /// Starts up and draws the first frame. Called once, first.
    mutating func start()

    mutating func step() -> NextStep

    mutating func describe() -> ScreenDescription

    /// Whether the panel shows the rows that `describe` names; true if unknown.
    var isPanelCurrent: Bool { get }

    static var canRestart: Bool { get }

    /// Does what a request asks for. Unless that only reads, the program has then started up again and drawn its first
    /// frame.
    ///
    /// - Returns: what is in the flash now.
    mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage
}

extension WatchProgram where Self: ~Copyable {
    /// Yes.
    public var isPanelCurrent: Bool { true }

    /// It cannot.
    public static var canRestart: Bool { false }

    /// Fails: it cannot be restarted.
    public mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage { throw .impossible }
}

/// Host-side interface to the watch's hardware: inputs go in, the picture and the reports come out, and a thread can
/// wait.
///
/// It belongs to the thread that runs the program, apart from `clock` and `inputs`, which every thread may use.
public protocol WatchSurface: AnyObject {
    var clock: SimulatedClock { get }
    var inputs: InputQueue { get }
    var output: BoardOutput { get }
    /// The newest input that the program has handled completely.
    var handled: InputNumber { get }
    var condition: SurfaceCondition { get }
    /// Nil, as is `calendarControl`, if the watch does not have that.
    var control: ClockControl? { get }
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
    case working
    /// It has ended by itself, for good: why, in one line.
    case failed(reason: String)
}
