import CCortexM
import HostCalls
import Watch
import WatchLink

/// Runs the watch as a program for the lab.
public enum LabProgram {
    /// Runs the watch with the handler that the executing machine chooses. It never returns.
    ///
    ///     @c(Lab_main) func main() {
    ///         LabProgram.run {
    ///             NamedHandler("mine", MyHandler())
    ///         }
    ///     }
    public static func run<List: HandlerList>(@HandlerListBuilder _ handlers: () -> List) {
        let memory = ProgramMemory()
        Host.fill(memory.block, .settings)
        withUnsafePointer(to: handlers()) { list in
            if memory.block[HostBlock.Settings.purpose] != 0 { name(list.pointee, memory) }
            chosenHandler = Int(memory.block[HostBlock.Settings.handler])
            handlersReport = memory.block[HostBlock.Settings.handlerReports] != 0
            var program = makeProgram(list, memory)
            withUnsafeMutablePointer(to: &program) { run($0) }
        }
    }

    private static func run<List: HandlerList>(
        _ program: UnsafeMutablePointer<WatchRuntime<LabBoard, SwitchedHandler<List>>>
    ) {
        start(program)
        while true { rest(step(program), program) }
    }

    // These are separate functions, so that the stack holds the values of only one at a time.

    @inline(never)
    private static func start<List: HandlerList>(
        _ program: UnsafeMutablePointer<WatchRuntime<LabBoard, SwitchedHandler<List>>>
    ) {
        program.pointee.start()
        let (bottom, top) = (address_of_stack_bottom(), address_of_stack_top())
        while HostRequest(rawValue: Host.call(.started, bottom, top)) == .description { describe(program) }
    }

    @inline(never)
    private static func step<List: HandlerList>(
        _ program: UnsafeMutablePointer<WatchRuntime<LabBoard, SwitchedHandler<List>>>
    ) -> NextStep {
        program.pointee.step()
    }

    /// Reports that a step has ended, and does what the machine requests, until it requests nothing more.
    @inline(never)
    private static func rest<List: HandlerList>(
        _ next: NextStep, _ program: UnsafeMutablePointer<WatchRuntime<LabBoard, SwitchedHandler<List>>>
    ) {
        while true {
            let answer: UInt32
            switch next {
            case .again: answer = Host.call(.worked)
            case .idle(nil): answer = Host.call(.idle)
            case .idle(let deadline?):
                answer = Host.call(.idle, deadline.microseconds.lowWord, deadline.microseconds.highWord, 1)
            }
            switch HostRequest(rawValue: answer) {
            case .goOn, nil: return
            case .description: describe(program)
            }
        }
    }

    @inline(never)
    private static func describe<List: HandlerList>(
        _ program: UnsafeMutablePointer<WatchRuntime<LabBoard, SwitchedHandler<List>>>
    ) {
        do throws(CBORError) {
            let description = try program.pointee.description()
            Host.call(
                .description, Host.word(description.address(of: 0)), UInt32(truncatingIfNeeded: description.count),
                program.pointee.isPanelCurrent ? 1 : 0)
        } catch {
            preconditionFailure("the description does not fit")
        }
    }

    @inline(never)
    private static func makeProgram<List: HandlerList>(
        _ list: UnsafePointer<List>, _ memory: ProgramMemory
    ) -> WatchRuntime<LabBoard, SwitchedHandler<List>> {
        let own = (WatchRuntime<LabBoard, SwitchedHandler<List>>.memorySize + 15) / 16 * 16
        let seed = UInt64(
            high: memory.block[HostBlock.Settings.seedHigh], low: memory.block[HostBlock.Settings.seedLow])
        var drivers = MemoryArena(memory.drivers(behind: own))
        let handler = SwitchedHandler(list, settings: memory.block, arena: &drivers)
        return WatchRuntime(
            board: LabBoard(block: memory.block, arena: &drivers), handler: handler, memory: memory.own(own), seed: seed
        )
    }

    /// Reports the name of every handler, its stages, and what it exchanges with the phone.
    private static func name<List: HandlerList>(_ list: List, _ memory: ProgramMemory) {
        for handler in 0..<List.count {
            say(list.name(of: handler), .handler)
            for index in 0..<list.stageCount(of: handler) {
                let stage = list.stage(index, of: handler)
                switch stage.placement {
                case .immediate: say(stage.name, .immediateStage)
                case .deferred: say(stage.name, .deferredStage)
                }
            }
            chosenHandler = handler
            var arena = MemoryArena(memory.drivers(behind: 0))
            let names = DeclaredName.all(of: SwitchedHandler<List>.self, arena: &arena)
            for index in names.indices { say(names[index].name, HostNameKind(names[index].use), names[index].size) }
            let largestFile = List.largestFile(of: handler)
            if largestFile > 0 { say("", .files, largestFile) }
        }
        while true { Host.call(.idle) }
    }

    private static func say(_ name: StaticString, _ kind: HostNameKind, _ size: Int = 0) {
        Host.call(.name, Host.word(name.utf8Start), kind.rawValue, UInt32(truncatingIfNeeded: size))
    }
}

extension HostNameKind {
    init(_ use: MessageUse) {
        self =
            switch use {
            case .valueToPhone: .valueToPhone
            case .valueFromPhone: .valueFromPhone
            case .queueToPhone: .queueToPhone
            case .queueFromPhone: .queueFromPhone
            case .questionToPhone: .questionToPhone
            case .questionFromPhone: .questionFromPhone
            }
    }
}

/// The memory that the linker script reserves: a block for calls, then memory for the watch and for its drivers.
private struct ProgramMemory {
    private let base: UnsafeMutableRawPointer
    private let size: Int
    let block: FixedArray<UInt32>

    init() {
        let start = UInt(address_of_memory_start())
        let end = UInt(address_of_memory_end())
        guard let first = UnsafeMutableRawPointer(bitPattern: start) else { fatalError() }
        let blockSize = HostBlock.words * MemoryLayout<UInt32>.size
        var arena = MemoryArena(UnsafeMutableRawBufferPointer(start: first, count: blockSize))
        block = arena.take(HostBlock.words, of: 0)
        base = first + blockSize
        size = Int(end - start) - blockSize
    }

    /// Takes memory for the watch. Traps if memory.ld has too little.
    func own(_ count: Int) -> UnsafeMutableRawBufferPointer {
        precondition(count <= size, "memory.ld has too little memory for the watch")
        return UnsafeMutableRawBufferPointer(start: base, count: count)
    }

    func drivers(behind count: Int) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(start: base + count, count: size - count)
    }
}
