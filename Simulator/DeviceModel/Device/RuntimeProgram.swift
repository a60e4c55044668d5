import Watch
import WatchLink

/// The watch's runtime with the memory that it runs in, as a program for `SimulatedWatch` and `VirtualWatch`.
public struct RuntimeProgram<DeviceBoard: HostBoard, Handler: TapHandler>: WatchProgram, ~Copyable {
    /// The board.
    public let surface: DeviceBoard
    var runtime: WatchRuntime<DeviceBoard, Handler>
    private let memory: ProgramMemory
    private let rows: DescribedRows
    private let handler: Handler
    /// Randomness for the starts after the first.
    private var seeds: SplitMix64

    private enum LastDescription {
        case outdated
        /// Valid while the calendar shows this time and no step has done anything.
        case current(ScreenDescription, at: LocalTime?)
    }

    private var last = LastDescription.outdated

    /// - Parameters:
    ///   - seed: randomness for the identity of a watch whose flash holds none.
    ///   - rows: the rows that snapshots describe. Describing all 128 rows of a long list is a third of the work of
    /// simulating a tap.
    public init(on board: DeviceBoard, handler: Handler, seed: UInt64, describing rows: DescribedRows = .all) {
        surface = board
        self.rows = rows
        self.handler = handler
        seeds = SplitMix64(seed: seed)
        memory = ProgramMemory(byteCount: WatchRuntime<DeviceBoard, Handler>.memorySize)
        runtime = WatchRuntime(board: board, handler: handler, memory: memory.bytes, seed: seed)
    }

    /// Reads the journal and draws the first frame.
    public mutating func start() {
        runtime.start()
    }

    /// Whether its board can lose its power.
    public static var canRestart: Bool { DeviceBoard.canRestart }

    /// Performs a request on the board. Unless that only reads, the runtime starts anew with empty memory and the new
    /// flash.
    public mutating func perform(_ request: RestartRequest) throws(RestartError) -> FlashImage {
        let image = try surface.perform(request)
        switch request {
        case .read: return image
        case .restart, .reset, .load: break
        }
        last = .outdated
        memory.clear()
        runtime = WatchRuntime(board: surface, handler: handler, memory: memory.bytes, seed: seeds.next())
        runtime.start()
        return image
    }

    /// Whether the panel shows the rows of the list; see `WatchRuntime.isPanelCurrent`.
    public var isPanelCurrent: Bool { runtime.isPanelCurrent }

    /// Does the most urgent thing there is to do.
    public mutating func step() -> NextStep {
        let next = runtime.step()
        switch next {
        case .again: last = .outdated
        case .idle: break
        }
        return next
    }

    /// What the screen says.
    public mutating func describe() -> ScreenDescription {
        // A step that does nothing changes nothing but the time, which the screen shows to the second at most.
        var board = surface
        let time = board.calendar
        if case .current(let screen, at: time) = last { return screen }
        let screen = ScreenDescription(&runtime, rows, at: time)
        last = .current(screen, at: time)
        return screen
    }
}

/// The memory of a program: a class, because a compiler that optimises leaves out the `deinit` of a generic structure that
/// cannot be copied (Swift 6.3).
private final class ProgramMemory {
    let bytes: UnsafeMutableRawBufferPointer

    init(byteCount: Int) {
        bytes = .allocate(byteCount: byteCount, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
    }

    func clear() { bytes.initializeMemory(as: UInt8.self, repeating: 0) }

    deinit { bytes.deallocate() }
}
