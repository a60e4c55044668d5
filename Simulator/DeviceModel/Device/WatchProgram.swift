import Watch
import WatchLink

/// A watch's program: the runtime on a simulated board, the firmware in an emulator, or a smaller one in a test.
public protocol WatchProgram: ~Copyable, SendableMetatype {
    associatedtype Surface: WatchSurface

    var surface: Surface { get }

    /// Starts the program and draws the first frame. The first call, made once.
    mutating func start()

    mutating func step() -> NextStep

    mutating func describe() -> ScreenDescription

    /// Whether the panel shows the rows that `describe` names; true if unknown.
    var isPanelCurrent: Bool { get }

    static var canRestart: Bool { get }

    /// Performs a request. Unless it only reads, the program then starts again and draws its first frame.
    ///
    /// - Returns: the contents of the flash after that.
    mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage
}

extension WatchProgram where Self: ~Copyable {
    /// True.
    public var isPanelCurrent: Bool { true }

    /// False.
    public static var canRestart: Bool { false }

    /// Throws `.impossible`.
    public mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage { throw .impossible }
}

/// Host-side interface to the watch's hardware: it takes inputs, returns the picture and the reports, and lets a thread wait.
///
/// Only the thread that runs the program may use it, apart from `clock` and `inputs`, which every thread may use.
public protocol WatchSurface: AnyObject {
    var clock: SimulatedClock { get }
    var inputs: InputQueue { get }
    var output: BoardOutput { get }
    /// The newest input that the program has handled completely.
    var handled: InputNumber { get }
    var condition: SurfaceCondition { get }
    /// Like `calendarControl`, nil if the watch does not have that.
    var control: ClockControl? { get }
    var calendarControl: CalendarControl? { get }
    /// Waits for an event or `deadline`. It may return early.
    func idle(until deadline: Instant?)
}

extension WatchSurface {
    /// Nil: its time cannot be controlled.
    public var control: ClockControl? { nil }

    /// Nil: its wall clock cannot be controlled.
    public var calendarControl: CalendarControl? { nil }
}

/// Whether the hardware under a watch's program works.
public enum SurfaceCondition: Sendable, Equatable {
    case working
    /// It has ended by itself and will not run again; the reason is one line.
    case failed(reason: String)
}
