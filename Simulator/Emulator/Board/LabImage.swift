import DeviceModel
import HostCalls
import Watch

/// An image for the lab: a program of the board `Lab` with one or more handlers.
package struct LabImage: Sendable {
    /// A handler of the image, with the stages that can be switched.
    package struct Handler: Equatable, Sendable {
        package var name: String
        /// In the order of the source; none for a handler that cannot be taken apart.
        package var stages: [Stage]
        /// The names that it exchanges with the phone, in the order of its declaration.
        package var names: [Name] = []
        /// The most bytes of a file that it takes, 0 for none.
        package var largestFile = 0

        package init(name: String, stages: [Stage] = []) {
            self.name = name
            self.stages = stages
        }
    }

    /// A name of a handler's own.
    package struct Name: Equatable, Sendable {
        package var text: String
        /// The delivery, and the side that sends.
        package var use: MessageUse
        /// The most bytes of a value.
        package var size: Int
    }

    package struct Stage: Equatable, Sendable {
        package var name: String
        package var placement: StagePlacement
    }

    /// Its handlers in the order of the image.
    package let handlers: [Handler]
    /// The processor before the first instruction.
    package let processor: CortexM4
    package let functions: FunctionTable
    /// The most instructions of a step of the watch, at least 1: a tap's immediate stages are one, and each deferred stage is.
    /// As it is, 7.8 s of a processor of 64 MHz where each takes one cycle.
    package var patience: UInt64 = 500_000_000

    /// Instructions in which an image has to name its handlers.
    private static let naming: UInt64 = 300_000_000

    /// The image in an ELF file's bytes.
    ///
    /// - Throws: what is wrong with the file, or keeps the program from naming its handlers.
    package init(_ bytes: [UInt8], timing: CoreTiming = .cortexM4) throws(LabImageError) {
        let file: ELFImage
        do throws(MachineCodeError) {
            file = try ELFImage(bytes)
            processor = try file.loaded(timing, sizeOfRAM: 1 << 16)
        } catch {
            throw .notExecutable(error)
        }
        functions = file.functions
        handlers = try LabImage.handlers(of: processor, functions)
    }

    /// The image in an ELF file's bytes, on the processor of a device.
    package init(_ bytes: [UInt8], on device: DeviceProfile) throws(LabImageError) {
        let part = device.processor
        let cache = part.cacheBytes.map { FlashTiming.Cache(bytes: $0, lineBytes: part.cacheLineBytes) }
        let flash = FlashTiming(waitStates: UInt64(part.flashWaitStates), cache: cache)
        try self.init(bytes, timing: CoreTiming.cortexM4.with(flash))
    }

    /// The place of the handler called `name`.
    package func place(of name: String) throws(LabImageError) -> Int {
        let places = handlers.indices.filter { handlers[$0].name == name }
        guard let place = places.first else { throw .noHandler(name, known: handlers.map(\.name)) }
        guard places.count == 1 else { throw .severalHandlers(name) }
        return place
    }

    /// Has the program name its handlers.
    private static func handlers(
        of processor: CortexM4, _ functions: FunctionTable
    ) throws(LabImageError) -> [Handler] {
        var machine = LabMachine(processor, functions, patience: naming)
        var handlers: [Handler] = []
        while true {
            switch try call(naming: &machine) {
            case .settings(let block): try machine.fill(block, LabSettings(seed: 0, purpose: .naming).words)
            case .name(let name, .handler, _): handlers.append(Handler(name: StageName.plain(name)))
            case .name(let name, let kind, let size):
                guard var handler = handlers.popLast() else { throw .strange }
                try handler.add(name, kind, Int(size))
                handlers.append(handler)
            case .idle:
                guard !handlers.isEmpty else { throw .noHandlers }
                return handlers
            case .started, .worked, .description, .exception, .handler, .messageWork, .board: throw .strange
            }
            machine.answer(0)
        }
    }

    /// The next call of a program that names its handlers.
    private static func call(naming machine: inout LabMachine) throws(LabImageError) -> LabCall {
        do throws(LabImageError) {
            return try machine.nextCall()
        } catch .endless(let instructions, let function) {
            throw .endlessNaming(instructions: instructions, function: function)
        } catch {
            throw error
        }
    }
}

extension LabImage.Handler {
    /// Adds what the program names of it.
    fileprivate mutating func add(_ name: String, _ kind: HostNameKind, _ size: Int) throws(LabImageError) {
        switch kind {
        case .handler: throw .strange
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

    private mutating func add(_ stage: String, _ placement: StagePlacement) throws(LabImageError) {
        guard stages.count < HostBlock.Settings.mostStages else { throw .strange }
        stages.append(LabImage.Stage(name: StageName.plain(stage), placement: placement))
    }
}

/// What an image is told before it starts.
package struct LabSettings: Equatable, Sendable {
    package enum Purpose: Equatable, Sendable {
        /// To name the handlers.
        case naming
        /// To run with a handler.
        case running(Composition)
    }

    /// A handler by its place in the image, and what of it runs.
    package enum Composition: Equatable, Sendable {
        /// As its source composes it.
        case own(handler: Int)
        /// The same, with a report of when the handler's own code begins and returns.
        case reported(handler: Int)
        /// These of its stages, in this order.
        case chosen(handler: Int, [ChosenStage])
    }

    /// A stage by its place in its handler, wherever it is put.
    package struct ChosenStage: Equatable, Sendable {
        package var stage: Int
        package var placement: StagePlacement

        package init(stage: Int, placement: StagePlacement) {
            self.stage = stage
            self.placement = placement
        }
    }

    /// Randomness for the identity of a watch whose flash holds none.
    package var seed: UInt64
    package var purpose: Purpose

    package init(seed: UInt64, purpose: Purpose) {
        self.seed = seed
        self.purpose = purpose
    }

    /// The block of the call.
    var words: [UInt32] {
        var words = [UInt32](repeating: 0, count: HostBlock.words)
        words[HostBlock.Settings.seedLow] = UInt32(truncatingIfNeeded: seed)
        words[HostBlock.Settings.seedHigh] = UInt32(truncatingIfNeeded: seed >> 32)
        switch purpose {
        case .naming: words[HostBlock.Settings.purpose] = 1
        case .running(.own(let handler)):
            words[HostBlock.Settings.handler] = UInt32(handler)
            words[HostBlock.Settings.stageCount] = HostCall.nothing
        case .running(.reported(let handler)):
            words[HostBlock.Settings.handler] = UInt32(handler)
            words[HostBlock.Settings.stageCount] = HostCall.nothing
            words[HostBlock.Settings.handlerReports] = 1
        case .running(.chosen(let handler, let stages)):
            words[HostBlock.Settings.handler] = UInt32(handler)
            words[HostBlock.Settings.stageCount] = UInt32(stages.count)
            for (index, chosen) in stages.prefix(HostBlock.Settings.mostStages).enumerated() {
                let place = chosen.placement == .deferred ? HostBlock.Settings.deferred : 0
                words[HostBlock.Settings.stages + index] = UInt32(chosen.stage) | place
            }
        }
        return words
    }
}

/// Why an image for the lab is not executed, or not further.
package enum LabImageError: Error, Equatable, Sendable {
    /// It is no program for the processor.
    case notExecutable(MachineCodeError)
    /// An instruction was not executed.
    case trapped(Trap, at: UInt32, function: String)
    /// It was executing for this number of instructions without asking for anything.
    case endless(instructions: UInt64, function: String)
    /// The same while it was to name its handlers and their stages.
    case endlessNaming(instructions: UInt64, function: String)
    /// It asked for something that the lab does not have, or in a way that it does not understand: the call's number.
    case unknownCall(UInt32)
    /// It names no handlers.
    case noHandlers
    case noHandler(String, known: [String])
    /// Two handlers have this name.
    case severalHandlers(String)
    /// It has reported that a stage or a handler began or ended, or that a tap got on, when that cannot be.
    case unbalanced
    /// It is a program, and none for the lab's board.
    case strange
}

extension LabImageError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notExecutable(let error): error.description
        case .trapped(.undefined, let address, let function):
            "it has trapped (a precondition, an index out of range, an overflow) at \(hexadecimal(address)) in \(function)"
        case .trapped(let trap, let address, let function): "\(trap.words) at \(hexadecimal(address)) in \(function)"
        case .endless(let instructions, let function):
            "it has executed \(instructions) instructions without a pause, and is in \(function)"
        case .endlessNaming(let instructions, let function):
            "a handler has not said which stages it has after \(instructions) instructions, and is in \(function)"
        case .unknownCall(let number): "it makes call \(number), which this version does not have: build the image anew"
        case .noHandlers: "it has no handler"
        case .noHandler(let name, let known): "it has no handler '\(name)'; it has \(known.joined(separator: ", "))"
        case .severalHandlers(let name): "it has two handlers called '\(name)': give one of them another name"
        case .unbalanced:
            "it reports stages or marks of taps by itself (board.trace), which is the runtime's: take that out"
        case .strange: "it is no image for the lab: Hardware/build --lab makes one"
        }
    }
}
