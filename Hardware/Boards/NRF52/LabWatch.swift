import BoardSupport
import CCortexM
import Watch
import WatchLink

/// The watch firmware that the lab executes, for the Reference board. It contains a list of handlers, and runs one of them.
public enum LabWatch {
    /// Runs the watch with one of the handlers, and never returns. The first CUSTOMER registers of UICR select the handler
    /// (`HandlerSettings`). If they are erased, the first handler runs.
    ///
    ///     @c(Lab_main) func main() {
    ///         LabWatch.run {
    ///             NamedHandler("mine", MyHandler())
    ///         }
    ///     }
    public static func run<List: HandlerList>(@HandlerListBuilder _ handlers: () -> List) -> Never {
        let options = choiceWord(HandlerSettings.options)
        withUnsafePointer(to: handlers()) { list in
            if options & HandlerSettings.names == 0 { name(list.pointee) }
            let handler = choiceWord(HandlerSettings.handler)
            chosenHandler = handler == .max ? 0 : Int(handler)
            handlersReport = options & HandlerSettings.reports == 0
            run(BoardWatch<MemoryLCD, SwitchedHandler<List>>.make(SwitchedHandler(list)))
        }
        while true { wait_for_interrupt() }
    }

    private typealias Program<List: HandlerList> = BoardWatch<MemoryLCD, SwitchedHandler<List>>.Program

    private static func run<List: HandlerList>(_ program: Program<List>) {
        BoardWatch<MemoryLCD, SwitchedHandler<List>>.start(program)
        Trace.send(.started, SharedMemory.dmaAddress(of: .descriptionRequest), address_of_stack_bottom())
        Trace.send(.started, address_of_stack_top(), program.pointee.board.now.microseconds.lowWord)
        describeIfAsked(program)
        while true {
            Trace.send(.stepping)
            let next = BoardWatch<MemoryLCD, SwitchedHandler<List>>.step(program)
            switch next {
            case .again: Trace.send(.stepped, 0)
            case .idle: Trace.send(.stepped, 1)
            }
            describeIfAsked(program)
            BoardWatch<MemoryLCD, SwitchedHandler<List>>.rest(next, program)
        }
    }

    @inline(never)
    private static func describeIfAsked<List: HandlerList>(_ program: Program<List>) {
        guard SharedMemory.word(.descriptionRequest).value != 0 else { return }
        do throws(CBORError) {
            let description = try program.pointee.description()
            let address = UInt(bitPattern: description.address(of: 0))
            Trace.send(.described, UInt32(truncatingIfNeeded: address), UInt32(truncatingIfNeeded: description.count))
            Trace.send(.described, program.pointee.isPanelCurrent ? 1 : 0)
        } catch {
            preconditionFailure("the description does not fit")
        }
    }

    private static func name<List: HandlerList>(_ list: List) -> Never {
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
            var arena = BoardMemory.whole
            let slots = MessageNames.slots(of: SwitchedHandler<List>.self, arena: &arena)
            for index in slots.indices {
                say(slots[index].name, TracedName(slots[index].use), Int(slots[index].capacity))
            }
            let largestFile = List.largestFile(of: handler)
            if largestFile > 0 { say("", .files, largestFile) }
        }
        Trace.send(.named)
        while true { wait_for_interrupt() }
    }

    private static func say(_ name: StaticString, _ kind: TracedName, _ size: Int = 0) {
        Trace.send(.name, Trace.address(name), kind.rawValue)
        Trace.send(.name, UInt32(truncatingIfNeeded: size))
    }
}
