/// The cycles of a program or a section of it, in total and by function.
package struct CycleReport: Sendable {
    /// The part of the program to count. It begins at the first instruction of the function `from`, and ends at the first
    /// instruction of the function `to`. If `from` is nil, the section begins with the program. If `to` is nil, the section
    /// ends when the function `from` returns or the program ends. `FunctionTable.start(of:)` defines which names are valid.
    package struct Section: Equatable, Sendable {
        package var from: String?
        package var to: String?

        package init(from: String? = nil, to: String? = nil) {
            self.from = from
            self.to = to
        }
    }

    package enum Ending: Equatable, Sendable {
        case exited(UInt32)
        /// The first function of the program returned, with this value in register 0.
        case returned(UInt32)
        case sectionEnded
        /// The program reached the limit of instructions or trapped.
        case unfinished(EmulatorError)
    }

    package let calls: CallProfile
    /// The minimum and maximum number of cycles that the processor manual allows for the section.
    package let bounds: ClosedRange<UInt64>
    package let ending: Ending
    /// The program's output. Anything after the first 1 MB is dropped.
    package let output: [UInt8]

    /// Runs a bare-metal program until it ends, or until the end of the section.
    ///
    /// - Parameter limit: the maximum number of instructions to execute from the program's beginning on, at least 1.
    package init(
        of image: ELFImage, _ section: Section = Section(), limit: UInt64, timing: CoreTiming = .cortexM4
    ) throws(EmulatorError) {
        var run = try ProgramRun(image, limit: limit, timing: timing)
        var end: UInt32?
        if let name = section.to { end = try image.functions.start(of: name) }
        if let name = section.from {
            let start = try image.functions.start(of: name)
            var nothing = NoObserver()
            while run.processor.next != start {
                switch run.execute(until: start, &nothing) {
                case .sectionEnded: break
                case .exited, .returned: throw .notReached(name)
                case .unfinished(let error): throw error
                }
            }
            end = end ?? run.processor.register(14) & ~1
        }
        let before = run.processor.cycleBounds
        var stack = CallStack(
            image.functions, at: run.processor.next, returningTo: run.processor.register(14) & ~1, run.processor.spent)
        ending = run.execute(until: end, &stack)
        stack.settle(run.processor.spent)
        switch (ending, section.to) {
        case (.exited, let name?), (.returned, let name?): throw .notReached(name)
        case (.exited, nil), (.returned, nil), (.sectionEnded, _), (.unfinished, _): break
        }
        let after = run.processor.cycleBounds
        bounds = after.lowerBound - before.lowerBound...after.upperBound - before.upperBound
        calls = NamedCalls(stack.tree, SpentByPlace(of: stack.tree), image.functions).profile
        output = run.output
    }
}

private struct ProgramRun {
    /// The address to which the first function returns. A reset sets the link register to 0xFFFF_FFFF, and a return clears the
    /// lowest bit.
    private static let nowhere: UInt32 = .max - 1
    private static let mostOutput = 1 << 20

    private let image: ELFImage
    private(set) var processor: CortexM4
    private(set) var output: [UInt8] = []
    private let limit: UInt64

    init(_ image: ELFImage, limit: UInt64, timing: CoreTiming) throws(EmulatorError) {
        self.image = image
        self.limit = limit
        processor = try image.loaded(timing)
    }

    mutating func execute<Observer: FlowObserver>(
        until end: UInt32?, _ observer: inout Observer
    ) -> CycleReport.Ending {
        while processor.next != ProgramRun.nowhere {
            do throws(Trap) {
                switch try processor.run(upTo: limit, until: end ?? ProgramRun.nowhere, &observer) {
                case .arrived: if end == processor.next { return .sectionEnded }
                case .limit: break
                }
            } catch {
                // The first function has returned before the end of the section.
                if processor.next == ProgramRun.nowhere { break }
                guard error == .breakpoint(Semihosting.breakpoint) else {
                    return .unfinished(.trapped(error, at: processor.next, function: function))
                }
                if let status = answer() { return .exited(status) }
            }
            guard processor.instructions < limit else {
                return .unfinished(.endless(instructions: limit, function: function))
            }
        }
        return .returned(processor.register(0))
    }

    /// Performs the semihosting call at which the processor has stopped. Returns the exit status, or nil if the call is not an
    /// exit.
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

/// The semihosting interface, through which a program calls its debugger (Arm, Semihosting for AArch32 and AArch64, release
/// 2.0).
enum Semihosting {
    /// The constant in the BKPT instruction that marks a semihosting call.
    static let breakpoint: UInt8 = 0xAB

    enum Call: Equatable {
        case exit(UInt32)
        case write([UInt8])
        /// Any other call. The program gets -1 as its answer.
        case other
    }

    static func call(_ processor: borrowing CortexM4) -> Call {
        let argument = processor.register(1)
        switch processor.register(0) {
        case 0x03: return .write(processor.memory.byte(at: argument).map { [$0] } ?? [])
        case 0x04: return .write(text(at: argument, processor))
        // SYS_EXIT. Its reason is ADP_Stopped_ApplicationExit (0x20026) for a success.
        case 0x18: return .exit(argument == 0x20026 ? 0 : 1)
        case 0x20: return .exit(processor.memory.word(at: argument &+ 4) ?? 1)
        case _: return .other
        }
    }

    /// Reads text up to its zero byte, at most 4,096 bytes.
    private static func text(at address: UInt32, _ processor: borrowing CortexM4) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < 4_096, let byte = processor.memory.byte(at: address &+ UInt32(bytes.count)), byte != 0 {
            bytes.append(byte)
        }
        return bytes
    }
}
