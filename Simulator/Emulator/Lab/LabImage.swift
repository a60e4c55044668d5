import DeviceModel
import Watch

/// A firmware image for the Reference board. It contains one or more tap handlers, and `LabWatch` in the image runs one of
/// them.
package struct LabImage: Sendable {
    package struct Handler: Equatable, Sendable {
        package var name: String
        /// The stages, in the order of the source code. Empty if the handler lists no stages; the lab then cannot run single
        /// stages.
        package var stages: [Stage] = []
        package var names: [Name] = []
        /// The maximum size of a file that the handler accepts, in bytes. 0 if it accepts no files.
        package var largestFile = 0
    }

    package struct Name: Equatable, Sendable {
        package var text: String
        package var use: MessageUse
        /// The maximum size of this message's value, in bytes.
        package var size: Int
    }

    package struct Stage: Hashable, Sendable {
        package var name: String
        package var placement: StagePlacement

        package init(name: String, placement: StagePlacement) { (self.name, self.placement) = (name, placement) }
    }

    package let handlers: [Handler]
    /// The image on a machine that has executed no instruction yet. Each watch starts as a copy of it.
    private let machine: Machine
    /// The maximum number of instructions, at least 1, in one step of the watch's run loop. If a step executes more, the
    /// program fails. All immediate stages of a tap run in one step. Each deferred stage usually runs in a step of its own.
    package var stepLimit: UInt64 = 500_000_000

    package var functions: FunctionTable { machine.image.functions }

    /// The maximum number of instructions that an image may execute until it has reported the names of all its handlers.
    private static let naming: UInt64 = 300_000_000

    /// Reads an ELF file, and executes its program until the program has reported the names of all its handlers.
    package init(_ bytes: [UInt8]) throws(EmulatorError) {
        // `FirmwareImage` would also accept other formats.
        _ = try ELFImage(bytes)
        machine = Machine(try FirmwareImage(bytes), on: BoardDevices(.reference))
        handlers = try LabImage.handlers(machine)
    }

    package func place(of name: String) throws(EmulatorError) -> Int {
        let places = handlers.indices.filter { handlers[$0].name == name }
        guard let place = places.first else { throw .noHandler(name, known: handlers.map(\.name)) }
        guard places.count == 1 else { throw .severalHandlers(name) }
        return place
    }

    /// Creates a watch that has just been powered on. If `chip` is nil, the watch's flash chip is erased.
    func watch(_ composition: HandlerComposition, seed: UInt64, chip: SerialFlash?) -> Machine {
        LabImage.watch(machine, composition.words, BoardDevices(.reference, flash: chip ?? SerialFlash()), seed)
    }

    private static func watch(
        _ machine: Machine, _ words: [UInt32], _ board: BoardDevices = BoardDevices(.reference), _ seed: UInt64 = 0
    ) -> Machine {
        var watch = machine
        watch.replacePart(on: board, seed: seed)
        watch.part.programConfiguration(words, from: HandlerSettings.offset)
        // This value of NFCPINS makes P0.09 and P0.10 general pins. Without it, the firmware would write NFCPINS itself, and
        // reset the chip.
        watch.part.programConfiguration([~1], from: 0x20C)
        watch.attachTrace()
        return watch
    }

    private static func handlers(_ image: Machine) throws(EmulatorError) -> [Handler] {
        var words = [UInt32](repeating: .max, count: HandlerSettings.words)
        words[HandlerSettings.options] &= ~HandlerSettings.names
        var (machine, reader, handlers) = (watch(image, words), TraceReader(), [Handler]())
        while true {
            switch machine.run(until: machine.now + 64_000_000) {
            case .traced(let word):
                switch try reader.take(word, of: machine) {
                case nil: continue
                case .name(let name, .handler, _): handlers.append(Handler(name: name.asStageName))
                case .name(let name, let kind, let size):
                    guard var handler = handlers.popLast() else { throw .notForLab }
                    try handler.add(name, kind, size)
                    handlers.append(handler)
                case .named:
                    guard !handlers.isEmpty else { throw .noHandlers }
                    return handlers
                case .mark, .stageBegan, .stageEnded, .screenChanged, .moment, .journalFailed, .messageWork, .haptic,
                    .input, .datagram, .beginLines, .line, .finishLines, .shownLines, .started, .stepping, .stepped,
                    .described, .handler:
                    throw .notForLab
                }
            case nil:
                guard machine.instructions >= naming else {
                    if machine.isAsleep { throw .notForLab }
                    continue
                }
                throw .endlessNaming(
                    instructions: naming, function: machine.image.functions.title(at: machine.register(15)))
            case .breakpoint, .address, .watchpoint, .exited, .resetLoop: throw .notForLab
            }
            if let fault = machine.takeFault() { throw EmulatorError(fault, machine.image.functions) }
        }
    }
}

extension EmulatorError {
    init(_ fault: FaultRecord, _ functions: FunctionTable) {
        let address = fault.registers[15]
        // UNDEFINSTR. The compiler's trap is an undefined instruction.
        let isTrap = fault.configurable >> 16 & 1 != 0
        let access = fault.address.map { " (\(hexadecimal($0)))" } ?? ""
        self = .faulted(
            isTrap ? "it has trapped (a precondition, an index out of range, an overflow)" : fault.cause + access,
            at: address, function: functions.title(at: address))
    }
}

extension LabImage.Handler {
    fileprivate mutating func add(_ name: String, _ kind: TracedName, _ size: Int) throws(EmulatorError) {
        switch kind {
        case .handler: throw .notForLab
        case .immediateStage: try add(name, .immediate)
        case .deferredStage: try add(name, .deferred)
        case .valueToPhone: names.append(LabImage.Name(text: name, use: .valueToPhone, size: size))
        case .valueFromPhone: names.append(LabImage.Name(text: name, use: .valueFromPhone, size: size))
        case .queueToPhone: names.append(LabImage.Name(text: name, use: .queueToPhone, size: size))
        case .queueFromPhone: names.append(LabImage.Name(text: name, use: .queueFromPhone, size: size))
        case .questionToPhone: names.append(LabImage.Name(text: name, use: .questionToPhone, size: size))
        case .questionFromPhone: names.append(LabImage.Name(text: name, use: .questionFromPhone, size: size))
        case .files: largestFile = size
        }
    }

    private mutating func add(_ stage: String, _ placement: StagePlacement) throws(EmulatorError) {
        guard stages.count < HandlerSettings.mostStages else { throw .notForLab }
        stages.append(LabImage.Stage(name: stage.asStageName, placement: placement))
    }
}

/// Which handler of an image runs, and which of its stages. `handler` is an index in `LabImage.handlers`.
package enum HandlerComposition: Equatable, Sendable {
    case own(handler: Int)
    /// The handler runs unchanged, as with `own`. The program also reports when calls of the handler begin and return.
    case reported(handler: Int)
    /// Only these stages run, at most 32. First the immediate ones run, then the deferred ones, both in the order of the array.
    case chosen(handler: Int, [ChosenStage])

    /// A stage that runs. `stage` is its index in `Handler.stages`. `placement` replaces the placement in the source code.
    package struct ChosenStage: Equatable, Sendable {
        package var stage: Int
        package var placement: StagePlacement

        package init(stage: Int, placement: StagePlacement) {
            self.stage = stage
            self.placement = placement
        }
    }

    var words: [UInt32] {
        var words = [UInt32](repeating: .max, count: HandlerSettings.words)
        switch self {
        case .own(let handler): words[HandlerSettings.handler] = UInt32(handler)
        case .reported(let handler):
            words[HandlerSettings.handler] = UInt32(handler)
            words[HandlerSettings.options] &= ~HandlerSettings.reports
        case .chosen(let handler, let stages):
            words[HandlerSettings.handler] = UInt32(handler)
            let immediate = stages.filter { $0.placement == .immediate }
            let all = (immediate + stages.filter { $0.placement == .deferred }).prefix(HandlerSettings.mostStages)
            let counts = UInt32(immediate.count) | UInt32(all.count - immediate.count) << 8
            words[HandlerSettings.options] &= counts << 16 | 0xFFFF
            for (index, chosen) in all.enumerated() {
                let shift = UInt32(8 * (index % 4))
                words[HandlerSettings.stages + index / 4] &= ~(0xFF << shift) | UInt32(chosen.stage) << shift
            }
        }
        return words
    }
}
