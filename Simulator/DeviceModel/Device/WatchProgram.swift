import Watch
import WatchLink

/// The program of a watch: the runtime on a simulated board, the firmware in an emulator, or a test program.
public protocol WatchProgram: ~Copyable, SendableMetatype {
    associatedtype Surface: WatchSurface

    var surface: Surface { get }

    /// Starts the program and draws the first frame. Called once, before all other methods.
    mutating func start()

    mutating func step() -> NextStep

    mutating func describe() -> ScreenDescription

    /// Whether the panel shows the rows that `describe` returns. True if the program does not know.
    var isPanelCurrent: Bool { get }

    /// The contents of the flash chip. Nil if the chip is not a part of the program. A watch that starts again gets these
    /// contents.
    var chip: [UInt8]? { get }

    /// Performs a request. Unless the request is `.read`, the program then starts again and draws its first frame.
    ///
    /// - Returns: the contents of the flash after the request.
    mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage
}

extension WatchProgram where Self: ~Copyable {
    /// True: this program does not know which rows the panel shows.
    public var isPanelCurrent: Bool { true }

    /// Nil: the flash chip is not a part of the program.
    public var chip: [UInt8]? { nil }

    /// Throws `.impossible`: this program cannot be restarted in place.
    public mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage { throw .impossible }
}

/// The simulator's interface to the watch's hardware: it sends inputs, reads the picture and the reports, and waits for events.
///
/// Only the thread that runs the program may use the surface. Any thread may use `clock` and `inputs`.
public protocol WatchSurface: AnyObject {
    var clock: SimulatedClock { get }
    var inputs: InputQueue { get }
    var output: BoardOutput { get }
    /// The number of the newest input that the program has handled completely.
    var handled: InputNumber { get }
    var condition: SurfaceCondition { get }
    /// Controls the speed of the watch's clock. This property and `calendarControl` are nil if the watch does not support them.
    var control: ClockControl? { get }
    var calendarControl: CalendarControl? { get }
    /// Waits for an event or until `deadline`; nil means no deadline. May return early.
    func idle(until deadline: Instant?)
}

extension WatchSurface {
    /// Nil: the watch's clock cannot be paused or sped up.
    public var control: ClockControl? { nil }

    /// Nil: the watch's wall clock cannot be set.
    public var calendarControl: CalendarControl? { nil }
}

/// Whether the hardware under a watch's program works.
public enum SurfaceCondition: Sendable, Equatable {
    case working
    /// The hardware ended by itself and does not start again. The reason is one line.
    case failed(reason: String)
}
