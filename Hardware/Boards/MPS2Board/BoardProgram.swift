import BoardSupport
import CCortexM
import MPS2Memory
import Watch
import WatchLink

/// Runs the watch as a program on this board.
public enum BoardProgram {
    /// Runs the watch with a handler. It never returns.
    ///
    ///     @c(Firmware_main) func main() {
    ///         BoardProgram.run(MyHandler())
    ///     }
    public static func run<Handler: TapHandler>(_ handler: Handler) {
        let program = makeProgram(handler)
        start(program)
        while true {
            let next = step(program)
            // A request that came while the runtime looked for input must not wait until the sleep ends. While the clock
            // stands, the runtime does nothing, because what the radio receives then belongs to the time after.
            repeat {
                answer(program)
                rest(next, program)
            } while program.pointee.board.isHeld
        }
    }

    // These are separate functions, so that the stack holds the values of only one at a time.

    @inline(never)
    private static func start<Handler: TapHandler>(
        _ program: UnsafeMutablePointer<WatchRuntime<MPS2Board, Handler>>
    ) {
        program.pointee.start()
        program.pointee.board.keep(.ready)
    }

    @inline(never)
    private static func step<Handler: TapHandler>(
        _ program: UnsafeMutablePointer<WatchRuntime<MPS2Board, Handler>>
    ) -> NextStep {
        program.pointee.step()
    }

    @inline(never)
    private static func rest<Handler: TapHandler>(
        _ next: NextStep, _ program: UnsafeMutablePointer<WatchRuntime<MPS2Board, Handler>>
    ) {
        switch next {
        case .again: program.pointee.board.noteWork()
        case .idle(let deadline): program.pointee.board.idle(until: deadline)
        }
    }

    /// Makes the runtime. The runtime, its memory and that of the drivers are in the memory that the linker script reserves.
    @inline(never)
    private static func makeProgram<Handler: TapHandler>(
        _ handler: Handler
    ) -> UnsafeMutablePointer<WatchRuntime<MPS2Board, Handler>> {
        let start = Int(address_of_memory_start())
        let size = Int(address_of_memory_end()) - start
        let runtime = rounded(MemoryLayout<WatchRuntime<MPS2Board, Handler>>.size)
        let own = rounded(WatchRuntime<MPS2Board, Handler>.memorySize)
        check(runtime + own < size, "memory.ld has too little memory for the watch")
        guard let memory = UnsafeMutableRawPointer(bitPattern: start) else { fatalError() }
        var drivers = MemoryArena(
            UnsafeMutableRawBufferPointer(start: memory + runtime + own, count: size - runtime - own))
        let program = memory.bindMemory(to: WatchRuntime<MPS2Board, Handler>.self, capacity: 1)
        program.initialize(
            to: WatchRuntime(
                board: MPS2Board(arena: &drivers), handler: handler,
                memory: UnsafeMutableRawBufferPointer(start: memory + runtime, count: own),
                seed: BootSettings.stored.seed))
        return program
    }

    /// Rounds a size up to a multiple of 16, at which blocks of memory begin.
    private static func rounded(_ size: Int) -> Int { (size + 15) / 16 * 16 }

    @inline(never)
    private static func answer<Handler: TapHandler>(
        _ program: UnsafeMutablePointer<WatchRuntime<MPS2Board, Handler>>
    ) {
        switch program.pointee.board.bench.takeRequest() {
        case .nothing: break
        case .memory:
            program.pointee.board.bench.send(.memory(stack: StackPaint.peak, handlerStack: StackPaint.handlerPeak))
        case .description: describe(program)
        }
    }

    @inline(never)
    private static func describe<Handler: TapHandler>(
        _ program: UnsafeMutablePointer<WatchRuntime<MPS2Board, Handler>>
    ) {
        // Reports go first: when a host no longer sees a question, it expects the answer among the reports.
        program.pointee.board.sendNotes()
        do throws(CBORError) {
            program.pointee.board.bench.sendDescription(try program.pointee.description())
        } catch {
            check(false, "the description does not fit")
        }
    }
}
