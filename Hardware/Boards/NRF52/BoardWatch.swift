import BoardSupport
import CCortexM
import Watch

/// The watch firmware for the PineTime: nRF52832, colour panel of 240 x 240 pixels, one button. Compile it with the condition
/// `COLOUR_PANEL`.
public enum PineTimeWatch {
    /// Runs the watch with a handler for taps, and never returns.
    ///
    ///     @c(PineTimeFirmware_main) func main() {
    ///         PineTimeWatch.run(MyHandler())
    ///     }
    public static func run<Handler: TapHandler>(_ handler: Handler) -> Never {
        BoardWatch<ST7789, Handler>.run(handler)
    }
}

/// The watch firmware for the Reference board: nRF52832, memory LCD, crown and side button.
public enum ReferenceWatch {
    /// Runs the watch with a handler for taps, and never returns.
    ///
    ///     @c(ReferenceFirmware_main) func main() {
    ///         ReferenceWatch.run(MyHandler())
    ///     }
    public static func run<Handler: TapHandler>(_ handler: Handler) -> Never {
        BoardWatch<MemoryLCD, Handler>.run(handler)
    }
}

enum BoardWatch<Screen: WatchPanel & ~Copyable, Handler: TapHandler> {
    typealias Program = UnsafeMutablePointer<WatchRuntime<NRF52Board<Screen>, Handler>>

    static func run(_ handler: Handler) -> Never {
        let program = make(handler)
        start(program)
        while true { rest(step(program), program) }
    }

    @inline(__always)
    static func rest(_ next: NextStep, _ program: Program) {
        switch next {
        case .again: Part.feedWatchdog()
        case .idle(let deadline): program.pointee.board.idle(until: deadline)
        }
    }

    // `start` and `step` are separate functions, so that the stack holds the values of only one of them at a time.

    @inline(never)
    static func start(_ program: Program) {
        program.pointee.start()
    }

    @inline(never)
    static func step(_ program: Program) -> NextStep {
        program.pointee.step()
    }

    /// Creates the runtime in the memory that the linker script reserves (`BoardMemory`). The runtime's data and the drivers'
    /// buffers are in the same memory.
    @inline(never)
    static func make(_ handler: Handler) -> Program {
        let runtime = rounded(MemoryLayout<WatchRuntime<NRF52Board<Screen>, Handler>>.size)
        let own = rounded(WatchRuntime<NRF52Board<Screen>, Handler>.memorySize)
        let (memory, size) = BoardMemory.bounds
        check(runtime + own < size, "memory.ld has too little memory for the watch")
        var drivers = MemoryArena(
            UnsafeMutableRawBufferPointer(start: memory + runtime + own, count: size - runtime - own))
        let program = memory.bindMemory(to: WatchRuntime<NRF52Board<Screen>, Handler>.self, capacity: 1)
        program.initialize(
            to: WatchRuntime(
                board: NRF52Board(arena: &drivers), handler: handler,
                memory: UnsafeMutableRawBufferPointer(start: memory + runtime, count: own), seed: Part.randomNumber()))
        return program
    }

    /// Rounds a size in bytes up to a multiple of 16, so that the next block of memory is aligned.
    private static func rounded(_ size: Int) -> Int { (size + 15) / 16 * 16 }
}

/// The memory that the linker script reserves for the runtime and the drivers' buffers.
enum BoardMemory {
    static var bounds: (start: UnsafeMutableRawPointer, size: Int) {
        let start = Int(address_of_memory_start())
        guard let memory = UnsafeMutableRawPointer(bitPattern: start) else { fatalError() }
        return (memory, Int(address_of_memory_end()) - start)
    }

    /// An arena over all of this memory. Use it only if the program runs no watch, because a watch takes the same memory.
    static var whole: MemoryArena {
        let (memory, size) = bounds
        return MemoryArena(UnsafeMutableRawBufferPointer(start: memory, count: size))
    }
}
