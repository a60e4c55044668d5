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

    /// The contents of the flash chip, if the program simulates the chip itself, as an emulator does. Otherwise nil. When
    /// `ProgramBench` restarts the watch, it gives the new program these contents.
    var chip: [UInt8]? { get }

    /// Performs a request. Unless the request is `.read`, the program then starts again and draws its first frame.
    ///
    /// - Returns: the contents of the flash after the request.
    mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage
}

extension WatchProgram where Self: ~Copyable {
    /// True by default, for a program that does not know which rows the panel shows.
    public var isPanelCurrent: Bool { true }

    /// Nil by default, for a program that does not simulate the flash chip itself.
    public var chip: [UInt8]? { nil }

    /// Throws `.impossible` by default, for a program that supports no requests.
    public mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage { throw .impossible }
}

/// The simulator's interface to the hardware that runs a watch's program. Through this interface, the simulator sends inputs,
/// reads the board's output and waits for events.
///
/// Only the thread that runs the program may use the surface. The exceptions are `clock` and `inputs`, which any thread may
/// use.
public protocol WatchSurface: AnyObject {
    var clock: SimulatedClock { get }
    var inputs: InputQueue { get }
    var output: BoardOutput { get }
    /// The number of the newest input that the program has handled completely. Valid only after `step` has returned `.idle`.
    var handled: InputNumber { get }
    var condition: SurfaceCondition { get }
    /// Controls the speed of the watch's clock, and pauses it. Nil if the watch does not support this.
    var control: ClockControl? { get }
    /// Controls the watch's wall clock. Nil if the watch does not support this.
    var calendarControl: CalendarControl? { get }
    /// Waits until an event, such as an input or a datagram, or until `deadline`. Nil means no deadline. May return early. A
    /// virtual clock advances instead of waiting.
    func idle(until deadline: Instant?)
}

extension WatchSurface {
    /// Nil by default, for a watch whose clock always runs at one speed.
    public var control: ClockControl? { nil }

    /// Nil by default, for a watch whose wall clock cannot be set.
    public var calendarControl: CalendarControl? { nil }
}

/// The condition of a watch's program: working or failed.
public enum SurfaceCondition: Sendable, Equatable {
    case working
    /// The program ended by itself, for example after a crash, and does not start again. The reason is one line.
    case failed(reason: String)
}
