import Emulator

/// Runs a program on our processor and on QEMU's. Compares the registers before each instruction, and all of RAM at
/// each host call. A host call is a breakpoint at which the program asks the host for an answer.
struct Comparison {
    static let ram: Range<UInt32> = MemoryMap.ramStart..<MemoryMap.ramStart + 1 << 16

    private let program: LockstepProgram
    private let stops: Set<UInt32>
    private let emulator: QEMU
    private var processor: CortexM4
    private var last: UInt32 = 0
    private(set) var executed = ExecutedAddresses()
    /// Our registers before the last instruction, and our registers before the exceptions taken since that instruction.
    /// When an interrupt is pending, QEMU prints the registers once too often. The surplus print equals one of these
    /// two values, and `step` skips that print.
    private var (earlier, interrupted): (ProgramRegisters?, ProgramRegisters?)

    init(_ program: LockstepProgram) throws(LockstepError) {
        self.program = program
        stops = program.stops
        processor = program.processor
        emulator = try QEMU(image: program.image)
    }

    /// - Throws: `.difference` at the first difference.
    mutating func run() throws(LockstepError) {
        try emulator.debugger.begin()
        let reset = try emulator.debugger.registers()
        processor.begin(withFlagsOf: reset.status)
        last = processor.next
        try compareCore(reset)
        for stop in stops.sorted() { try emulator.debugger.stop(at: stop) }
        if case .fault(let handler) = program.ending { try emulator.debugger.stop(at: handler) }
        try emulator.debugger.trace()
        try emulator.debugger.go()
        for answer in program.answers {
            try advance()
            try compare(at: answer.call)
            try emulator.debugger.answer(answer)
            for write in answer.writes where !processor.memory.write(write.bytes, at: write.address) {
                throw .unusable("\(program.name): an answer to \(hexadecimal(write.address))")
            }
            processor.answerBreakpoint(answer.result)
        }
        switch program.ending {
        case .call(let address):
            try advance()
            try compare(at: address)
        case .fault: try fault()
        case .sleep(let address): try sleep(at: address)
        }
    }

    /// Executes instructions up to the next call, and compares the registers before each instruction.
    private mutating func advance() throws(LockstepError) {
        while true {
            try settle()
            if stops.contains(processor.next) { return }
            if let trap = try step() { throw difference("we trap: \(trap)") }
        }
    }

    /// Waits until QEMU stops at a call. Compares the core registers and RAM. Then our processor executes the
    /// breakpoint.
    private mutating func compare(at call: UInt32) throws(LockstepError) {
        guard processor.next == call else { throw difference("we are not at the call at \(hexadecimal(call))") }
        try awaitStop()
        try compareCore(emulator.debugger.registers())
        try compareMemory()
        do throws(Trap) {
            try processor.step()
        } catch {
            guard case .breakpoint = error else { throw difference("we trap: \(error)") }
            executed.note(call)
            last = call
            return
        }
        throw difference("we do not stop at \(hexadecimal(call))")
    }

    /// Takes pending exceptions and fetch faults on our processor, until an instruction can be executed. QEMU prints no
    /// registers before an instruction that it cannot fetch. Does nothing if our processor has no peripherals.
    private mutating func settle() throws(LockstepError) {
        guard processor.part != nil else { return }
        var observer = IgnoredFlow()
        interrupted = processor.programRegisters
        while true {
            if let stop = processor.settle(until: .max, &observer) { throw difference("we stop: \(stop)") }
            if processor.hasInstruction { return }
            if let stop = processor.runOne(until: .max, &observer) { throw difference("we stop: \(stop)") }
        }
    }

    /// Compares the registers, and executes an instruction on our processor. Returns its trap; nil if it does not trap.
    private mutating func step() throws(LockstepError) -> Trap? {
        if !emulator.trace.isRead, try emulator.awaitEvent() == .stops { throw difference("QEMU stops, we go on") }
        var expected = try emulator.trace.next()
        let ours = processor.programRegisters
        if expected != ours, expected == interrupted || expected == earlier, processor.part != nil {
            expected = try emulator.trace.next()
        }
        earlier = ours
        guard ours == expected else { throw difference(ours.differences(from: expected)) }
        last = processor.next
        if processor.part != nil {
            var observer = IgnoredFlow()
            if let stop = processor.runOne(until: .max, &observer) { throw difference("we stop: \(stop)") }
            executed.note(last)
            return nil
        }
        do throws(Trap) {
            try processor.step()
            executed.note(last)
            return nil
        } catch {
            return error
        }
    }

    private func awaitStop() throws(LockstepError) {
        switch try emulator.awaitEvent() {
        case .stops: try emulator.debugger.takeStop()
        case .goesOn: throw difference(processor.programRegisters.differences(from: try emulator.trace.next()))
        }
    }

    // MARK: Endings

    /// Executes instructions up to the undefined instruction that ends the program. Compares our registers with the
    /// registers that QEMU saves on the stack when it takes the fault (ARMv7-M manual, B1.5.6).
    private mutating func fault() throws(LockstepError) {
        while true {
            guard let trap = try step() else { continue }
            guard trap == .undefined else { throw difference("we trap: \(trap)") }
            break
        }
        try awaitStop()
        let handling = try emulator.debugger.registers()
        let ours = processor.programRegisters
        let saved = try emulator.debugger.memory(handling.core[13]..<handling.core[13] + 32)
        let expected = [0, 1, 2, 3, 12, 14, 15].map { ours.core[$0] }
        for (place, number) in expected.enumerated() {
            let word = saved[4 * place..<4 * place + 4].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            guard word == number else {
                throw difference("its fault saves \(hexadecimal(word)), we have \(hexadecimal(number))")
            }
        }
        executed.note(last)
    }

    /// Executes instructions up to WFI, and compares the core registers of the two sleeping processors.
    private mutating func sleep(at address: UInt32) throws(LockstepError) {
        while true {
            guard let trap = try step() else { continue }
            guard trap == .waitsForInterrupt, last == address else { throw difference("we trap: \(trap)") }
            break
        }
        executed.note(last)
        processor.wake()
        while true {
            try emulator.debugger.interrupt()
            try emulator.debugger.takeStop()
            let asleep = try emulator.debugger.registers()
            // QEMU has not executed WFI yet.
            if asleep.core[15] == address {
                try emulator.debugger.go()
                continue
            }
            return try compareCore(asleep)
        }
    }

    // MARK: What is compared

    private func compareCore(_ expected: ProgramRegisters) throws(LockstepError) {
        let ours = processor.programRegisters
        var all = expected
        (all.numbers, all.floatStatus) = (ours.numbers, ours.floatStatus)
        guard ours == all else { throw difference(ours.differences(from: all)) }
    }

    private func compareMemory() throws(LockstepError) {
        let expected = try emulator.debugger.memory(Comparison.ram)
        guard let ours = processor.memory.bytes(at: Comparison.ram.lowerBound, count: Comparison.ram.count) else {
            throw .unusable("\(program.name): RAM has not \(Comparison.ram.count) bytes")
        }
        guard !ours.elementsEqual(expected) else { return }
        let places = zip(ours, expected).enumerated().filter { $0.element.0 != $0.element.1 }
        let first = places.first.map { place, pair in
            "at \(hexadecimal(Comparison.ram.lowerBound + UInt32(place))) is \(pair.0), in QEMU \(pair.1)"
        }
        throw difference("\(places.count) bytes of RAM: \(first ?? "")")
    }

    private func difference(_ what: String) -> LockstepError {
        .difference(
            program: "\(program.kind.rawValue) \(program.name)", after: executed.count,
            at: "\(processor.mnemonic(at: last)) at \(hexadecimal(last))", what)
    }
}

private struct IgnoredFlow: FlowObserver {
    mutating func moved(_ flow: Flow, cycles: UInt64, instructions: UInt64) {}
}

extension ProgramRegisters {
    fileprivate func differences(from expected: ProgramRegisters) -> String {
        var pairs = (0..<16).map { ("r\($0)", core[$0], expected.core[$0]) }
        pairs.append(("xPSR", status, expected.status))
        pairs += (0..<32).map { ("s\($0)", numbers[$0], expected.numbers[$0]) }
        pairs.append(("FPSCR", floatStatus, expected.floatStatus))
        return pairs.filter { $0.1 != $0.2 }.map { name, ours, theirs in
            "\(name) is \(hexadecimal(ours)), in QEMU \(hexadecimal(theirs))"
        }.joined(separator: ", ")
    }
}

/// How often both processors executed the instruction at each address.
struct ExecutedAddresses {
    private var counts: [UInt32] = []
    private(set) var count = 0

    mutating func note(_ address: UInt32) {
        let place = Int(address / 2)
        if place >= counts.count { counts += [UInt32](repeating: 0, count: place + 1 - counts.count) }
        counts[place] += 1
        count += 1
    }

    func byMnemonic(in processor: CortexM4) -> [String: Int] {
        var sums: [String: Int] = [:]
        for (place, count) in counts.enumerated() where count > 0 {
            sums[processor.mnemonic(at: UInt32(2 * place)), default: 0] += Int(count)
        }
        return sums
    }
}
