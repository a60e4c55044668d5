/// A bare program that is executed to its end, counted from one place to another.
package struct ProgramRun {
    /// From where to where is counted. Nil is the first instruction, and the end: of the program, or of the function at
    /// whose first instruction the count began.
    package struct Section: Equatable, Sendable {
        package var from: String?
        package var to: String?

        package init(from: String? = nil, to: String? = nil) {
            self.from = from
            self.to = to
        }
    }

    /// What was counted, and how the program ended.
    package struct Outcome {
        package let tree: CallTree
        /// The fewest and the most cycles that the core's manual allows for what was counted.
        package let cycleBounds: ClosedRange<UInt64>
        package let ending: Ending
        /// What it has printed.
        package let output: [UInt8]
    }

    package enum Ending: Equatable, Sendable {
        /// The program has ended itself, with this status.
        case exited(UInt32)
        /// Its first function has returned, with this in register 0.
        case returned(UInt32)
        /// The section has ended; what the program does after that was not executed.
        case sectionEnded
    }

    /// The address that the first function returns to: the link register of a reset, without its lowest bit.
    private static let nowhere: UInt32 = .max - 1
    /// The most that a program may print.
    private static let mostOutput = 1 << 20

    private let image: ELFImage
    private var processor: CortexM4
    private var output: [UInt8] = []
    private let limit: UInt64

    /// - Parameters:
    ///   - limit: the most instructions, at least 1.
    ///   - timing: how many cycles the core takes.
    package init(_ image: ELFImage, limit: UInt64, timing: CoreTiming = .cortexM4) throws(MachineCodeError) {
        self.image = image
        self.limit = limit
        processor = try image.loaded(timing)
    }

    /// Executes the program.
    package mutating func execute(_ section: Section) throws(MachineCodeError) -> Outcome {
        var end: UInt32?
        if let name = section.to { end = try image.functions.start(of: name) }
        if let name = section.from {
            let start = try image.functions.start(of: name)
            var nothing = NoObserver()
            while processor.next != start {
                guard case .sectionEnded = try run(until: start, &nothing) else { throw .notReached(name) }
            }
            end = end ?? processor.register(14) & ~1
        }
        let before = processor.cycleBounds
        var stack = CallStack(
            image.functions, at: processor.next, returningTo: processor.register(14) & ~1, processor.spent)
        let ending = try run(until: end, &stack)
        stack.settle(processor.spent)
        switch (ending, section.to) {
        case (.exited, let name?), (.returned, let name?): throw .notReached(name)
        case (.exited, nil), (.returned, nil), (.sectionEnded, _): break
        }
        let after = processor.cycleBounds
        return Outcome(
            tree: stack.tree,
            cycleBounds: after.lowerBound - before.lowerBound...after.upperBound - before.upperBound,
            ending: ending, output: output)
    }

    private mutating func run<Observer: FlowObserver>(
        until end: UInt32?, _ observer: inout Observer
    ) throws(MachineCodeError) -> Ending {
        while processor.next != ProgramRun.nowhere {
            do throws(Trap) {
                switch try processor.run(upTo: limit, until: end ?? ProgramRun.nowhere, &observer) {
                case .arrived: if end == processor.next { return .sectionEnded }
                case .limit: break
                }
            } catch {
                // It has gone past the place that it was to come to, and returned.
                if processor.next == ProgramRun.nowhere { break }
                guard error == .breakpoint(Semihosting.breakpoint) else {
                    throw .trapped(error, at: processor.next, function: function)
                }
                if let status = answer() { return .exited(status) }
            }
            guard processor.instructions < limit else { throw .endless(instructions: limit, function: function) }
        }
        return .returned(processor.register(0))
    }

    /// Carries out the call that the program waits for. Returns the status where it ends the program.
    private mutating func answer() -> UInt32? {
        var result = processor.register(0)
        switch Semihosting.call(processor) {
        case .exit(let status): return status
        case .write(let text): output.append(contentsOf: text.prefix(ProgramRun.mostOutput - output.count))
        case .other: result = .max
        }
        processor.answerBreakpoint(result)
        return nil
    }

    /// The function that runs.
    private var function: String { image.functions.title(image.functions.place(of: processor.next).number) }
}

extension CortexM4 {
    fileprivate var spent: CallTree.Spent { CallTree.Spent(cycles: cycles, instructions: instructions) }
}

/// Calls of a program to the machine that it is debugged with (Arm, Semihosting for AArch32 and AArch64, release 2.0).
enum Semihosting {
    /// The breakpoint that is a call, on a Cortex-M.
    static let breakpoint: UInt8 = 0xAB

    enum Call: Equatable {
        /// The program ends, with this status.
        case exit(UInt32)
        /// It prints this.
        case write([UInt8])
        /// Anything else, which is answered with -1.
        case other
    }

    /// The call that the registers ask for.
    static func call(_ processor: borrowing CortexM4) -> Call {
        let argument = processor.register(1)
        switch processor.register(0) {
        case 0x03: return .write(processor.byte(at: argument).map { [$0] } ?? [])
        case 0x04: return .write(text(at: argument, processor))
        // ADP_Stopped_ApplicationExit is 0x20026: anything else is a failure.
        case 0x18: return .exit(argument == 0x20026 ? 0 : 1)
        case 0x20: return .exit(processor.word(at: argument &+ 4) ?? 1)
        case _: return .other
        }
    }

    /// A text up to its zero byte, at most 4,096 bytes of it.
    private static func text(at address: UInt32, _ processor: borrowing CortexM4) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < 4_096, let byte = processor.byte(at: address &+ UInt32(bytes.count)), byte != 0 {
            bytes.append(byte)
        }
        return bytes
    }
}

/// What a section of a program costs: all of it, and each function.
package struct CycleReport: Sendable {
    package struct Row: Equatable, Sendable {
        package let function: String
        /// What the function has spent itself, without the functions that it called.
        package let own: CallTree.Spent
    }

    package let total: CallTree.Spent
    /// The fewest and the most cycles that the core's manual allows for the same instructions.
    package let bounds: ClosedRange<UInt64>
    package let ending: ProgramRun.Ending
    /// What the program has printed.
    package let output: [UInt8]
    /// Most cycles first.
    package let rows: [Row]
    /// Ways through the functions with their cycles, as flame graph programs read them.
    package let folded: String

    /// Executes a program.
    ///
    /// - Parameter limit: the most instructions, at least 1.
    package init(
        of image: ELFImage, _ section: ProgramRun.Section, limit: UInt64
    ) throws(MachineCodeError) {
        var run = try ProgramRun(image, limit: limit)
        let outcome = try run.execute(section)
        total = outcome.tree.total
        bounds = outcome.cycleBounds
        ending = outcome.ending
        output = outcome.output
        rows = outcome.tree.byFunction.map { Row(function: image.functions.title($0.function), own: $0.own) }
        folded = outcome.tree.folded(image.functions)
    }

    /// Cycles for an instruction; nil for none.
    package var cyclesPerInstruction: Double? {
        total.instructions == 0 ? nil : Double(total.cycles) / Double(total.instructions)
    }
}
