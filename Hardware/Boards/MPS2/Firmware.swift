import BoardSupport
import CCortexM
import MPS2Memory
import Watch
import WatchLink

#if os(none)

/// The watch as it ships, on this board.
typealias WatchProgram = WatchRuntime<MPS2Board, ShippingHandler>

// Proof: there is one thread, and interrupt handlers know the rings of the ports and nothing else.
nonisolated(unsafe) private var program = makeProgram()

@c(Firmware_main) func runFirmware() {
    // By its address, or every access would ask first whether the program is made already.
    withUnsafeMutablePointer(to: &program) { run($0) }
}

@inline(never)
private func run(_ program: UnsafeMutablePointer<WatchProgram>) {
    start(program)
    while true {
        let next = step(program)
        // What was asked while the runtime looked for input would otherwise wait for whatever ends the sleep. And while time
        // stands the runtime does nothing: what the radio hears meanwhile belongs to the time after.
        repeat {
            answer(program)
            rest(next, program)
        } while program.pointee.board.isHeld
    }
}

// Functions of their own, so that what one needs on the stack is not there while the other runs.

@inline(never)
private func start(_ program: UnsafeMutablePointer<WatchProgram>) {
    program.pointee.start()
    program.pointee.board.keep(.ready)
}

@inline(never)
private func step(_ program: UnsafeMutablePointer<WatchProgram>) -> NextStep {
    program.pointee.step()
}

@inline(never)
private func rest(_ next: NextStep, _ program: UnsafeMutablePointer<WatchProgram>) {
    switch next {
    case .again: program.pointee.board.noteWork()
    case .idle(let deadline): program.pointee.board.idle(until: deadline)
    }
}

/// The program with everything it will ever need taken from the memory that the linker script has for it.
@inline(never)
private func makeProgram() -> WatchProgram {
    let start = Int(address_of_memory_start())
    let size = Int(address_of_memory_end()) - start
    let own = (WatchProgram.memorySize + 15) / 16 * 16
    check(own < size, "memory.ld has too little memory for the watch")
    guard let memory = UnsafeMutableRawPointer(bitPattern: start) else { fatalError() }
    var drivers = MemoryArena(UnsafeMutableRawBufferPointer(start: memory + own, count: size - own))
    return WatchProgram(
        board: MPS2Board(arena: &drivers), handler: ShippingHandler(),
        memory: UnsafeMutableRawBufferPointer(start: memory, count: own), seed: BootSettings.stored.seed)
}

/// Gives the bench what it asked for.
@inline(never)
private func answer(_ program: UnsafeMutablePointer<WatchProgram>) {
    switch program.pointee.board.bench.takeRequest() {
    case .nothing: break
    case .memory:
        program.pointee.board.bench.send(.memory(stack: StackPaint.peak, handlerStack: StackPaint.handlerPeak))
    case .description: describe(program)
    }
}

@inline(never)
private func describe(_ program: UnsafeMutablePointer<WatchProgram>) {
    // What led to this screen comes first: a host that sees a question gone looks for its answer.
    program.pointee.board.sendNotes()
    do throws(CBORError) {
        program.pointee.board.bench.sendDescription(try program.pointee.description())
    } catch {
        check(false, "the description does not fit")
    }
}

#else

/// On a host the firmware is only compiled, so that what is wrong with it shows early.
@main enum Firmware {
    static func main() {
        print("This is firmware: Hardware/build makes the image for the watch's processor.")
    }
}

#endif
