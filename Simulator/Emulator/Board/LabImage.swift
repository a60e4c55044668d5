import DeviceModel
import HostCalls
import Watch

/// A program for the emulated board `Lab`, with one or more tap handlers.
package struct LabImage: Sendable {
    package struct Handler: Equatable, Sendable {
        package var name: String
        /// The stages, in the order of the source code. Empty if the stages cannot run one by one.
        package var stages: [Stage] = []
        /// The names of its messages, in the order of their declarations.
        package var names: [Name] = []
        /// The largest file that the handler accepts, in bytes. 0 if it accepts none.
        package var largestFile = 0
    }

    /// A message name that the handler and the phone share.
    package struct Name: Equatable, Sendable {
        package var text: String
        package var use: MessageUse
        /// The most bytes in a value of this message.
        package var size: Int
    }

    package struct Stage: Equatable, Sendable {
        package var name: String
        package var placement: StagePlacement
    }

    package let handlers: [Handler]
    /// The processor before its first instruction.
    package let processor: CortexM4
    package let functions: FunctionTable
    /// The most instructions in one step of the watch, at least 1. All immediate stages of a tap are one step; each deferred
    /// stage is its own step. The default equals 7.8 s at 64 MHz with one cycle for each instruction.
    package var stepLimit: UInt64 = 500_000_000

    /// The most instructions that an image may take to name all its handlers.
    private static let naming: UInt64 = 300_000_000

    /// Reads an ELF file, and runs it until it has named its handlers.
    package init(_ bytes: [UInt8], timing: CoreTiming = .cortexM4) throws(EmulatorError) {
        let file = try ELFImage(bytes)
        processor = try file.loaded(timing, sizeOfRAM: 1 << 16)
        functions = file.functions
        handlers = try LabImage.handlers(of: processor, functions)
    }

    /// Reads an ELF file for a device. Then executes it, with the flash timing of the device, until the program has told the
    /// names of its handlers.
    package init(_ bytes: [UInt8], on device: DeviceProfile) throws(EmulatorError) {
        let part = device.processor
        let cache = part.cacheBytes.map { FlashTiming.Cache(bytes: $0, lineBytes: part.cacheLineBytes) }
        var timing = CoreTiming.cortexM4
        timing.flash = FlashTiming(waitStates: UInt64(part.flashWaitStates), cache: cache)
        try self.init(bytes, timing: timing)
    }

    package func place(of name: String) throws(EmulatorError) -> Int {
        let places = handlers.indices.filter { handlers[$0].name == name }
        guard let place = places.first else { throw .noHandler(name, known: handlers.map(\.name)) }
        guard places.count == 1 else { throw .severalHandlers(name) }
        return place
    }

    private static func handlers(
        of processor: CortexM4, _ functions: FunctionTable
    ) throws(EmulatorError) -> [Handler] {
        var machine = LabMachine(processor, functions, stepLimit: naming)
        var handlers: [Handler] = []
        while true {
            switch try call(naming: &machine) {
            case .settings(let block): try machine.fill(block, LabSettings(seed: 0, purpose: .naming).words)
            case .name(let name, .handler, _): handlers.append(Handler(name: name.asStageName))
            case .name(let name, let kind, let size):
                guard var handler = handlers.popLast() else { throw .notForLab }
                try handler.add(name, kind, Int(size))
                handlers.append(handler)
            case .idle:
                guard !handlers.isEmpty else { throw .noHandlers }
                return handlers
            case .started, .worked, .description, .exception, .handler, .messageWork, .trace, .board: throw .notForLab
            }
            machine.answer(0)
        }
    }

    private static func call(naming machine: inout LabMachine) throws(EmulatorError) -> LabCall {
        do throws(EmulatorError) {
            return try machine.nextCall()
        } catch .endlessStep(let instructions, let function) {
            throw .endlessNaming(instructions: instructions, function: function)
        } catch {
            throw error
        }
    }
}

extension LabImage.Handler {
    fileprivate mutating func add(_ name: String, _ kind: HostNameKind, _ size: Int) throws(EmulatorError) {
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
        guard stages.count < HostBlock.Settings.mostStages else { throw .notForLab }
        stages.append(LabImage.Stage(name: stage.asStageName, placement: placement))
    }
}

/// The settings that a program gets from the emulator when it starts.
package struct LabSettings: Equatable, Sendable {
    package enum Purpose: Equatable, Sendable {
        /// The program names its handlers and runs none of them.
        case naming
        case running(Composition)
    }

    /// The handler to run, by its index in the image, and which of its stages run.
    package enum Composition: Equatable, Sendable {
        /// The handler with all its stages, as its source code lists them.
        case own(handler: Int)
        /// The same as `own`, and the program reports when the handler's own code begins and returns.
        case reported(handler: Int)
        /// Only these stages, in this order.
        case chosen(handler: Int, [ChosenStage])
    }

    /// A stage, by its index in its handler. The placement replaces the one in the source code.
    package struct ChosenStage: Equatable, Sendable {
        package var stage: Int
        package var placement: StagePlacement

        package init(stage: Int, placement: StagePlacement) {
            self.stage = stage
            self.placement = placement
        }
    }

    /// Seeds the identity of a watch if its flash holds none.
    var seed: UInt64
    var purpose: Purpose

    /// The settings as the words that the program reads.
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
