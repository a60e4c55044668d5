/// Executes a bare program to its end, and counts a section of it.
package struct ProgramRun {
    /// The functions at whose first instructions the count begins and ends. Without `from` it begins with the program. Without `to`
    /// it ends with the program, or with the return of the function `from`.
    package struct Section: Equatable, Sendable {
        package var from: String?
        package var to: String?

        package init(from: String? = nil, to: String? = nil) {
            self.from = from
            self.to = to
        }
    }

    package struct Outcome {
        package let tree: CallTree
        /// The fewest and the most cycles that the manual allows for what was counted.
        package let cycleBounds: ClosedRange<UInt64>
        package let ending: Ending
        package let output: [UInt8]
    }

    package enum Ending: Equatable, Sendable {
        /// With the program's own status.
        case exited(UInt32)
        /// The first function has returned, with this in register 0.
        case returned(UInt32)
        /// The program was not executed further.
        case sectionEnded
    }

    /// The address that the first function returns to: the link register of a reset, without its lowest bit.
    private static let nowhere: UInt32 = .max - 1
    /// The most bytes that a program may print.
    private static let mostOutput = 1 << 20

    private let image: ELFImage
    private var processor: CortexM4
    private var output: [UInt8] = []
    private let limit: UInt64

    /// - Parameter limit: the most instructions, at least 1.
    package init(_ image: ELFImage, limit: UInt64, timing: CoreTiming = .cortexM4) throws(MachineCodeError) {
        self.image = image
        self.limit = limit
        processor = try image.loaded(timing)
    }

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
                // It has returned without coming to the end of the section.
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

    /// Carries out the semihosting call at which the program stands. Returns the status of an exit.
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

    private var function: String { image.functions.title(at: processor.next) }
}

extension CortexM4 {
    fileprivate var spent: CallTree.Spent { CallTree.Spent(cycles: cycles, instructions: instructions) }
}

/// Calls of a program to its debugger (Arm, Semihosting for AArch32 and AArch64, release 2.0).
enum Semihosting {
    /// The number of a breakpoint that is a call.
    static let breakpoint: UInt8 = 0xAB

    enum Call: Equatable {
        /// With the status.
        case exit(UInt32)
        case write([UInt8])
        /// Answered with -1.
        case other
    }

    static func call(_ processor: borrowing CortexM4) -> Call {
        let argument = processor.register(1)
        switch processor.register(0) {
        case 0x03: return .write(processor.memory.byte(at: argument).map { [$0] } ?? [])
        case 0x04: return .write(text(at: argument, processor))
        // Anything but ADP_Stopped_ApplicationExit, 0x20026, is a failure.
        case 0x18: return .exit(argument == 0x20026 ? 0 : 1)
        case 0x20: return .exit(processor.memory.word(at: argument &+ 4) ?? 1)
        case _: return .other
        }
    }

    /// Up to the zero byte, at most 4,096 bytes.
    private static func text(at address: UInt32, _ processor: borrowing CortexM4) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < 4_096, let byte = processor.memory.byte(at: address &+ UInt32(bytes.count)), byte != 0 {
            bytes.append(byte)
        }
        return bytes
    }
}

/// What a section of a program costs, in all and by function.
package struct CycleReport: Sendable {
    package struct Row: Equatable, Sendable {
        package let function: String
        /// Without the functions that it called.
        package let own: CallTree.Spent
    }

    package let total: CallTree.Spent
    /// The fewest and the most cycles that the manual allows.
    package let bounds: ClosedRange<UInt64>
    package let ending: ProgramRun.Ending
    package let output: [UInt8]
    /// Most cycles first.
    package let rows: [Row]
    /// Call paths with their cycles, as flame graph programs read them.
    package let folded: String

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

    /// Nil without instructions.
    package var cyclesPerInstruction: Double? {
        total.instructions == 0 ? nil : Double(total.cycles) / Double(total.instructions)
    }
}
