/// Entry and return of exceptions (B1.5.6 to B1.5.8), with their cycles.
///
/// Sources: Cortex-M4 Technical Reference Manual (Arm 100166_0001_00, section 3.9) and Arm's article KA001406, "What is the
/// true interrupt latency of Cortex-M3 and Cortex-M4".
/// - An entry takes 12 cycles: 9 to push the frame, and 3 more. During the push, the core takes 6 cycles to fetch the vector
///   and the handler. Therefore the first 3 cycles of waits for flash do not lengthen an entry.
/// - A return takes 10 cycles, and tail-chaining takes 6.
/// - Saving the floating-point registers takes 17 cycles more, and restoring them takes 17 as well.
///
/// The model completes each instruction before it takes an exception. A real core can abandon a division, or a load or store of
/// several registers.
extension CortexM4 {
    private static let pushCycles: UInt64 = 9
    private static let fetchSlack: UInt64 = 3
    /// The cycles of a return, without the cycle of the branch that starts it.
    private static let returnCycles: UInt64 = 9
    private static let chainCycles: UInt64 = 6
    private static let floatCycles: UInt64 = 17

    /// xPSR, the program status register (B1.4.2).
    package var status: UInt32 {
        flags.word | (isThumb ? 1 << 24 : 0) | UInt32(ifThen & 3) &<< 25 | UInt32(ifThen &>> 2) &<< 10
            | UInt32(exceptionNumber)
    }

    /// Pushes the interrupted program's registers, which form the frame. Then goes to the handler of the exception with the
    /// highest priority. This exception may have arrived during the push.
    mutating func enterException<Observer: FlowObserver>(_ observer: inout Observer) {
        // EXC_RETURN (table B1-8): the value in the link register with which a handler returns.
        let mode: UInt32 = exceptionNumber != 0 ? 1 : stackChoice == .main ? 9 : 13
        let link = 0xFFFF_FFE0 | mode | (floatContext.isActive ? 0 : 0x10)
        do throws(Trap) {
            try pushFrame()
        } catch {
            fault(error, bus: .stackingBus, protection: .protectedStacking)
        }
        let frame = registers[13]
        counter.spend(CortexM4.pushCycles)
        sampleLines()
        guard let number = exceptions.preempting else { return }
        let waited = flashWaits.cycles
        activate(number, link)
        counter.spend(CortexM4.fetchSlack &- min(flashWaits.cycles &- waited, CortexM4.fetchSlack))
        observer.entered(
            number, at: next, isChained: false, frame: frame, cycles: cycles, instructions: instructions)
    }

    private mutating func pushFrame() throws(Trap) {
        let isExtended = floatContext.isActive
        let isAligned = isExtended || faults.isStackAligned
        let size: UInt32 = isExtended ? 0x68 : 0x20
        let isOdd = isAligned && registers[13] & 4 != 0
        let frame = (registers[13] &- size) & (isAligned ? ~7 : ~3)
        let status = status | (isOdd ? 1 << 9 : 0)
        registers[13] = frame
        for (place, number) in [0, 1, 2, 3, 12, 14].enumerated() {
            try memory.store(registers[number], at: frame &+ 4 &* UInt32(place))
        }
        try memory.store(next, at: frame &+ 24)
        try memory.store(status, at: frame &+ 28)
        guard isExtended else { return }
        if floatContext.isLazy {
            noteUnsavedFloat(at: frame &+ 0x20)
        } else {
            try pushFloat(at: frame &+ 0x20)
            // The architecture leaves these registers unknown.
            for number in 0..<16 { numbers[number] = 0 }
            float.word = 0
        }
    }

    /// Records where to save the floating-point registers if the handler uses them (B1.5.7, UpdateFPCCR).
    private mutating func noteUnsavedFloat(at address: UInt32) {
        (floatContext.address, floatContext.isUnsaved) = (address, true)
        let priority = exceptions.executionPriority()
        func isReady(_ number: Int) -> Bool {
            exceptions.enabled & ExceptionController.bit(number) != 0 && exceptions.groupPriority(number) < priority
        }
        var control = floatContext.control & 0xC000_0000
        if isReady(SystemException.debugMonitor) { control |= 1 << 8 }
        if isReady(SystemException.busFault) { control |= 1 << 6 }
        if isReady(SystemException.memoryFault) { control |= 1 << 5 }
        if priority > -1 { control |= 1 << 4 }
        if exceptionNumber == 0 { control |= 1 << 3 }
        if !isPrivileged { control |= 1 << 1 }
        floatContext.control = control
    }

    private mutating func pushFloat(at address: UInt32) throws(Trap) {
        for number in 0..<16 { try memory.store(numbers[number], at: address &+ 4 &* UInt32(number)) }
        try memory.store(float.word, at: address &+ 64)
        counter.spend(CortexM4.floatCycles)
    }

    /// Prepares for a floating-point instruction (B1.5.7). Saves S0 to S15 and FPSCR of an interrupted program if they are not
    /// saved yet, and begins a new context if none is active. Throws `noCoprocessor` if CPACR denies access.
    @inline(never)
    mutating func prepareFloat() throws(Trap) {
        guard memory.system.allowsFloat(isPrivileged: isPrivileged) else { throw .noCoprocessor }
        if floatContext.isUnsaved {
            try pushFloat(at: floatContext.address)
            floatContext.isUnsaved = false
        }
        if !floatContext.isActive, floatContext.isAutomatic {
            floatContext.isActive = true
            float.word = float.word & ~0x07C0_0000 | floatContext.defaults
        }
    }

    /// Makes an exception active, and goes to its handler (B1.5.6, ExceptionTaken).
    private mutating func activate(_ number: Int, _ link: UInt32) {
        exceptions.activate(number)
        exceptionNumber = UInt8(number)
        choose(.main)
        registers[14] = link
        (ifThen, isExclusive, floatContext.isActive) = (0, false, false)
        activity = .running
        protect()
        let place = vectorTable &+ 4 &* UInt32(number)
        if memory.isFlash(place) { flashWaits.read() }
        // An erased vector table has no handlers. No code can be at 0xE000_0000 or above.
        guard let vector = memory.vector(at: place), vector < 0xE000_0000 else {
            // VECTTBL: there is no usable vector.
            faults.hard |= 1 << 1
            return raise(SystemException.hardFault)
        }
        next = vector & ~1
        isThumb = vector & 1 != 0
        if memory.isFlash(next) { flashWaits.fetch(next) }
    }

    // MARK: Return

    /// Returns from an exception (B1.5.8). The handler has branched to EXC_RETURN: `next` holds this value without its lowest
    /// bit.
    mutating func returnFromException<Observer: FlowObserver>(_ observer: inout Observer) {
        let (link, number) = (next | 1, Int(exceptionNumber))
        let nested = exceptions.active.nonzeroBitCount
        let isValid =
            switch link & 15 {
            case 1: nested > 1
            // CCR.NONBASETHRDENA allows this return while other exceptions are active.
            case 9, 13: nested == 1 || faults.control & 1 != 0
            case _: false
            }
        let isActive = exceptions.isActive(number)
        exceptions.deactivate(number)
        protect()
        if !isValid || !isActive { fault(.invalidReturn, at: nil) }
        sampleLines()
        if chain(link, &observer) { return }
        let extendedSize: UInt32 = link & 0x10 == 0 ? 0x68 : 0x20
        let frame = link & 4 == 0 ? registers[13] : otherStack
        do throws(Trap) {
            try popFrame(at: frame, extendedSize, link)
        } catch {
            fault(error, bus: .unstackingBus, protection: .protectedUnstacking)
            _ = chain(link, &observer)
            return
        }
        let waited = flashWaits.cycles
        if memory.isFlash(next) { flashWaits.fetch(next) }
        counter.spend(
            CortexM4.returnCycles &- min(flashWaits.cycles &- waited, CortexM4.returnCycles))
        observer.returned(to: next, frame: frame, cycles: cycles, instructions: instructions)
        if (exceptionNumber == 0) != (link & 8 != 0) { return fault(.invalidReturn, at: nil) }
        // SLEEPONEXIT makes the core sleep when no exception is left.
        if exceptions.active == 0, exceptions.sleepControl & 2 != 0 { activity = .waitingForInterrupt }
    }

    private mutating func chain<Observer: FlowObserver>(_ link: UInt32, _ observer: inout Observer) -> Bool {
        guard let number = exceptions.preempting else { return false }
        activate(number, link)
        counter.spend(CortexM4.chainCycles)
        let frame = link & 4 == 0 ? registers[13] : otherStack
        observer.entered(
            number, at: next, isChained: true, frame: frame, cycles: cycles, instructions: instructions)
        return true
    }

    private mutating func popFrame(at frame: UInt32, _ size: UInt32, _ link: UInt32) throws(Trap) {
        var words = InlineArray<8, UInt32>(repeating: 0)
        for place in 0..<8 { words[place] = try memory.load(frame &+ 4 &* UInt32(place), as: UInt32.self) }
        if size == 0x68 {
            if floatContext.isUnsaved {
                floatContext.isUnsaved = false
            } else {
                guard memory.system.allowsFloat(isPrivileged: true) else { throw .noCoprocessor }
                for number in 0..<16 {
                    numbers[number] = try memory.load(frame &+ 0x20 &+ 4 &* UInt32(number), as: UInt32.self)
                }
                float.word = try memory.load(frame &+ 0x60, as: UInt32.self) & FloatStatus.writable
                counter.spend(CortexM4.floatCycles)
            }
        }
        floatContext.isActive = size == 0x68
        let status = words[7]
        choose(link & 4 == 0 ? .main : .process)
        let isOdd = status &>> 9 & 1 != 0 && (size == 0x68 || faults.isStackAligned)
        registers[13] = (frame &+ size) | (isOdd ? 4 : 0)
        for (place, number) in [0, 1, 2, 3, 12, 14].enumerated() { registers[number] = words[place] }
        next = words[6] & ~1
        flags.word = status & 0xF80F_0000
        isThumb = status &>> 24 & 1 != 0
        ifThen = UInt8(status &>> 25 & 3 | status &>> 8 & 0xFC)
        exceptionNumber = UInt8(status & 0x3F)
        isExclusive = false
        protect()
    }

    // MARK: Faults

    /// Makes a fault pending for a trap that the current instruction has caused. When the fault's handler returns, the core
    /// executes the instruction again.
    mutating func fault(_ trap: Trap) {
        switch trap {
        case .undefined: fault(.undefined, at: nil)
        case .unaligned: fault(.unaligned, at: nil)
        case .divisionByZero: fault(.divisionByZero, at: nil)
        case .invalidState: fault(.invalidState, at: nil)
        case .noCoprocessor: fault(.noCoprocessor, at: nil)
        case .bus(let address): fault(.dataBus, at: address)
        case .forbidden(let address): fault(.dataProtection, at: address)
        case .instructionBus: fault(.instructionBus, at: nil)
        case .instructionForbidden: fault(.instructionProtection, at: nil)
        case .breakpoint:
            // DEBUGEVT: without the debug monitor, a breakpoint is a HardFault.
            faults.hard |= 1 << 31
            raise(SystemException.hardFault)
        // A core with peripherals handles these without a trap.
        case .supervisorCall, .waitsForInterrupt, .waitsForEvent, .watched, .stopped: break
        }
    }

    private mutating func fault(_ trap: Trap, bus: FaultStatus.Cause, protection: FaultStatus.Cause) {
        switch trap {
        case .forbidden: fault(protection, at: nil)
        case .bus: fault(bus, at: nil)
        case .undefined, .unaligned, .divisionByZero, .invalidState, .noCoprocessor, .instructionBus,
            .instructionForbidden, .breakpoint, .supervisorCall, .waitsForInterrupt, .waitsForEvent, .watched, .stopped:
            fault(trap)
        }
    }

    mutating func fault(_ cause: FaultStatus.Cause, at address: UInt32?) {
        faults.note(cause, at: address)
        raise(cause.exception)
    }

    /// Makes a synchronous exception pending, which the core takes before its next instruction. If the exception is disabled,
    /// or if its priority is not above the current priority, the exception becomes a HardFault. But if the current priority is
    /// that of HardFault or NMI, the core locks up, and the chip resets (B1.5.9, B1.5.15).
    mutating func raise(_ number: Int) {
        attention = 0
        if (SystemException.hardFault...SystemException.usageFault).contains(number), faultRecord == nil {
            faultRecord = FaultRecord(of: self)
        }
        let priority = exceptions.executionPriority()
        let bit = ExceptionController.bit(number)
        if exceptions.enabled & bit != 0, exceptions.groupPriority(number) < priority {
            exceptions.pend(bit)
        } else if priority > -1 {
            // FORCED: another exception became this HardFault.
            if number != SystemException.hardFault { faults.hard |= 1 << 30 }
            exceptions.pend(ExceptionController.bit(SystemException.hardFault))
        } else {
            part?.reset = .lockup
        }
    }
}
