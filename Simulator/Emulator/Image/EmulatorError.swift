/// Why the emulator cannot run a program to its end, or why a board refuses an input or a file.
package enum EmulatorError: Error, Equatable, Sendable {
    case notELF
    /// The program is for another processor. The case holds the ELF machine number (`e_machine`).
    case otherProcessor(UInt16)
    case otherForm
    case truncated
    case notLinked
    case empty
    /// The program loads more than 32 MB, or needs more than 32 MB of RAM.
    case tooLarge
    case misplaced(UInt32)
    /// The program has no function of this name. The list `near` has up to three similar names.
    case noFunction(String, near: [String])
    case severalFunctions(String, [String])
    /// The program ended before it reached this function, at which the counted section begins or ends.
    case notReached(String)
    case trapped(Trap, at: UInt32, function: String)
    case endless(instructions: UInt64, function: String)

    // MARK: Firmware for a board

    case noVectorTable(at: UInt32)
    /// The first word of the vector table is not a stack pointer in RAM. The case holds the word.
    case stackOutsideRAM(UInt32)
    case badRecord(line: Int)
    case addressNotNeeded(String)

    // MARK: Images for the lab

    case endlessStep(instructions: UInt64, function: String)
    case endlessNaming(instructions: UInt64, function: String)
    /// The program faulted while the lab executed it. The first string is the cause.
    case faulted(String, at: UInt32, function: String)
    case watchdog(function: String)
    case ended(String)
    /// The program traced an event with an unknown number, or with a word out of range. The case holds the event's number.
    case unknownEvent(Int)
    case noHandlers
    case noHandler(String, known: [String])
    case severalHandlers(String)
    /// The program traced a stage, a handler, a message's work or a `TapMark` at a point where the runtime never does so.
    case unbalanced
    case notForLab

    // MARK: Inputs and files that a board refuses

    case outsidePanel(x: Int, y: Int, width: Int, height: Int)
    case noFinger
    case noCrown
    case charge(Int)
    /// The input has an acceleration of more than 16 g on one axis, or a number of steps that is negative or exceeds the
    /// chip's counter.
    case motion
    case flashSize(Int)
}

extension EmulatorError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notELF: "it is no ELF file"
        case .otherForm: "it is of 64 bits or has the highest byte first, which a Cortex-M4 cannot execute"
        case .otherProcessor(let machine): "it is for another processor (machine \(machine)), not for a Cortex-M4"
        case .truncated: "it is incomplete: copy or build it again"
        case .notLinked: "it is not linked: only a whole program can be executed"
        case .empty: "it loads nothing into memory"
        case .tooLarge: "it needs more than 32 MB of memory"
        case .misplaced(let address):
            "it loads something at \(hexadecimal(address)), where there is neither flash nor RAM"
        case .noFunction(let name, let near):
            "it has no function \(name)" + (near.isEmpty ? "" : "; near it: \(near.joined(separator: ", "))")
        case .severalFunctions(let name, let found):
            "it has several functions \(name), name one by its address: \(found.joined(separator: ", "))"
        case .notReached(let name): "it has ended without coming to \(name)"
        case .trapped(let trap, let address, let function): "\(trap.words) at \(hexadecimal(address)) in \(function)"
        case .endless(let instructions, let function):
            "it has not ended after \(instructions) instructions, and is in \(function)"
        case .noVectorTable(let address):
            "it has no vector table at \(hexadecimal(address)): name the address of a raw image with --at, such as 0x8020"
        case .stackOutsideRAM(let stack):
            "its stack pointer \(hexadecimal(stack)) is outside the RAM of an nRF52832 (0x20000000 to 0x20010000): it is for another part"
        case .badRecord(let line): "its line \(line) is no record of an Intel HEX file: copy or build it again"
        case .addressNotNeeded(let format): "it is of the format \(format), which has its own addresses: leave out --at"
        case .endlessStep(let instructions, let function):
            "it has executed \(instructions) instructions without a pause, and is in \(function)"
        case .endlessNaming(let instructions, let function):
            "a handler has not said which stages it has after \(instructions) instructions, and is in \(function)"
        case .faulted(let cause, let address, let function): "\(cause) at \(hexadecimal(address)) in \(function)"
        case .watchdog(let function): "it has run for 8 s without a pause, so the watchdog has reset it, in \(function)"
        case .ended(let text): "it has ended itself" + (text.isEmpty ? "" : ": \(text)")
        case .unknownEvent(let number):
            "it traces event \(number), which this version does not have: build the image anew"
        case .noHandlers: "it has no handler"
        case .noHandler(let name, let known): "it has no handler '\(name)'; it has \(known.joined(separator: ", "))"
        case .severalHandlers(let name): "it has two handlers called '\(name)': give one of them another name"
        case .unbalanced:
            "it reports stages or marks of taps by itself (board.trace), which only the runtime may do: remove these calls"
        case .notForLab: "it is no image for the lab: Hardware/build --lab makes one"
        case .outsidePanel(let x, let y, let width, let height):
            "a touch at \(x),\(y) is outside of the panel: use 0 to \(width - 1) and 0 to \(height - 1)"
        case .noFinger: "no finger is on the panel: touch it first"
        case .noCrown: "this board has no crown: use the side button"
        case .charge(let percent): "a battery has no charge of \(percent) %: use 0 to 100"
        case .motion: "the accelerometer measures at most 16 g, and counts up to 4,294,967,295 steps"
        case .flashSize(let bytes):
            "the file of the flash chip has \(bytes) bytes: give one of \(SerialFlash.size), or none for an erased chip"
        }
    }
}

extension Trap {
    fileprivate var words: String {
        switch self {
        case .undefined:
            "it has trapped (a precondition, an index out of range, an overflow, an instruction that a Cortex-M4 does not have)"
        case .unaligned(let address): "an unaligned access of \(hexadecimal(address))"
        case .forbidden(let address): "an access of \(hexadecimal(address)), which the memory protection unit guards"
        case .bus(let address): "an access of \(hexadecimal(address)), where there is nothing"
        case .divisionByZero: "a division by zero"
        case .instructionBus(let address): "a jump to \(hexadecimal(address)), where there is nothing"
        case .instructionForbidden(let address): "a jump to \(hexadecimal(address)), which is never executed"
        case .watched(let address): "an access of \(hexadecimal(address)), which is watched"
        case .stopped: "a stop"
        case .invalidState: "a branch to an even address"
        case .noCoprocessor: "a floating-point instruction while the unit is off"
        case .breakpoint(let number): "breakpoint \(number)"
        case .supervisorCall(let number): "a supervisor call \(number)"
        case .waitsForInterrupt: "a wait for an interrupt (WFI), whose length is not known,"
        case .waitsForEvent: "a wait for an event (WFE), whose length is not known,"
        }
    }
}

package func hexadecimal(_ number: UInt32) -> String { "0x" + String(number, radix: 16) }
