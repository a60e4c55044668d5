/// Access to the registers of the private peripheral bus and of the chip's peripherals. A bare core has no peripherals.
extension CortexM4 {
    @inline(never)
    mutating func readElsewhere(_ address: UInt32, _ size: Int, _ trap: Trap) throws(Trap) -> UInt32 {
        guard case .bus = trap, part != nil else {
            guard size == 4, let word = cycleRegisters.word(at: address, cycles: awakeCycles) else { throw trap }
            return word
        }
        guard address & UInt32(size &- 1) == 0 else { throw .unaligned(address) }
        if address &>> 20 == 0xE00 {
            guard memory.isPrivileged else { throw trap }
            return systemWord(at: address & ~3) &>> (address &<< 3 & 31)
        }
        let now = cycles
        part?.signals.programCounter = registers[15] &- 4
        part?.flash.cacheProfile = (flashWaits.hits, flashWaits.misses)
        guard let word = part?.read(address, size: size, at: now, &memory) else { return try ignore(trap) }
        noticePart()
        return word
    }

    @inline(never)
    mutating func writeElsewhere(_ word: UInt32, _ address: UInt32, _ size: Int, _ trap: Trap) throws(Trap) {
        guard case .bus = trap, part != nil else {
            guard size == 4, cycleRegisters.write(word, at: address, cycles: awakeCycles) else { throw trap }
            return
        }
        guard address & UInt32(size &- 1) == 0 else { throw .unaligned(address) }
        if address &>> 20 == 0xE00 {
            attention = 0
            // Unprivileged programs may write STIR, which triggers an interrupt, if CCR allows it (B3.2.8).
            guard memory.isPrivileged || address == 0xE000_EF00 && faults.control & 2 != 0 else { throw trap }
            let shift = address &<< 3 & 31
            let mask: UInt32 = size == 4 ? .max : (1 &<< UInt32(8 * size) &- 1) &<< shift
            return setSystemWord(word &<< shift, mask: mask, at: address & ~3)
        }
        let now = cycles
        part?.signals.programCounter = registers[15] &- 4
        guard part?.write(word, to: address, size: size, at: now, &memory) == true else {
            _ = try ignore(trap)
            return
        }
        noticePart()
    }

    /// Returns 0 for a bus fault at the priority of HardFault or NMI if the program has set BFHFNMIGN of CCR (B3.2.8).
    /// Otherwise throws the trap.
    private mutating func ignore(_ trap: Trap) throws(Trap) -> UInt32 {
        guard faults.ignoresBusFaults, exceptions.executionPriority() < 0, case .bus(let address) = trap else {
            throw trap
        }
        faults.note(.dataBus, at: address)
        return 0
    }

    /// Reads a register of the private peripheral bus. Returns 0 if the register is not implemented.
    private mutating func systemWord(at address: UInt32) -> UInt32 {
        if let word = cycleRegisters.word(at: address, cycles: awakeCycles) ?? memory.system.word(at: address)
            ?? trace.word(at: address)
        {
            return word
        }
        switch address {
        // ICTR: up to 64 interrupts.
        case 0xE000_E004: return 1
        case 0xE000_E010...0xE000_E01C:
            advanceTick()
            return systemTick.read(address, at: cycles)
        case 0xE000_E100...0xE000_E4FF: return exceptions.word(at: address)
        // CPUID: Cortex-M4 r0p1.
        case 0xE000_ED00: return 0x410F_C241
        case 0xE000_ED04: return interruptState
        case 0xE000_ED08: return vectorTable
        case 0xE000_ED0C: return 0xFA05_0000 | exceptions.grouping &<< 8
        case 0xE000_ED10: return exceptions.sleepControl
        case 0xE000_ED14: return faults.control
        case 0xE000_ED18...0xE000_ED20: return exceptions.priorityWord(of: Int(address & 0x3F) - 0x14)
        case 0xE000_ED24: return handlerState
        case 0xE000_ED28: return faults.configurable
        case 0xE000_ED2C: return faults.hard
        case 0xE000_ED34: return faults.memoryAddress
        case 0xE000_ED38: return faults.busAddress
        case 0xE000_EF34: return floatContext.control | (floatContext.isUnsaved ? 1 : 0)
        case 0xE000_EF38: return floatContext.address
        case 0xE000_EF3C: return floatContext.defaults
        // MVFR0 and MVFR1 of the single-precision unit (B4.7).
        case 0xE000_EF40: return 0x1011_0021
        case 0xE000_EF44: return 0x1100_0011
        case _: return 0
        }
    }

    private mutating func setSystemWord(_ word: UInt32, mask: UInt32, at address: UInt32) {
        switch address {
        case 0xE000_E100...0xE000_E4FF: return exceptions.write(word, mask: mask, at: address)
        case 0xE000_ED18...0xE000_ED20:
            return exceptions.setPriorities(word, mask: mask, of: Int(address & 0x3F) - 0x14)
        case 0xE000_ED28:
            faults.configurable &= ~(word & mask)
            return
        case _: break
        }
        // The other registers accept only whole words.
        guard mask == .max, !cycleRegisters.write(word, at: address, cycles: awakeCycles),
            !trace.write(word, at: address)
        else { return }
        switch address {
        case 0xE000_E010...0xE000_E01C:
            advanceTick()
            systemTick.write(word, to: address, at: cycles)
        case 0xE000_ED04: setInterruptState(word)
        case 0xE000_ED08: vectorTable = word & 0x3FFF_FF80
        case 0xE000_ED0C: controlReset(word)
        case 0xE000_ED10: exceptions.sleepControl = word & 0x16
        case 0xE000_ED14:
            faults.control = word & 0x31B
            memory.trapsUnaligned = faults.trapsUnaligned
        case 0xE000_ED24: setHandlerState(word)
        case 0xE000_ED2C: faults.hard &= ~word
        case 0xE000_ED34: faults.memoryAddress = word
        case 0xE000_ED38: faults.busAddress = word
        case 0xE000_EF00:
            let bit = UInt64(word & 0x1FF) < 39 ? ExceptionController.bit(Int(word & 0x1FF) + 16) : 0
            exceptions.pend(bit)
        case 0xE000_EF34:
            floatContext.control = word & 0xC000_017A
            floatContext.isUnsaved = word & 1 != 0
        case 0xE000_EF38: floatContext.address = word & ~7
        case 0xE000_EF3C: floatContext.defaults = word & 0x07C0_0000
        case _: break
        }
    }

    /// ICSR, which shows the pending and active exceptions (B3.2.4).
    private var interruptState: UInt32 {
        let (pending, active) = (exceptions.pending, exceptions.active)
        var word = UInt32(exceptionNumber) | UInt32(exceptions.first ?? 0) &<< 12
        // RETTOBASE: no exception is active but the present one.
        if active & ~ExceptionController.bit(Int(exceptionNumber)) == 0 { word |= 1 << 11 }
        if pending & ExceptionController.interrupts != 0 { word |= 1 << 22 }
        if pending & ExceptionController.bit(SystemException.systemTick) != 0 { word |= 1 << 26 }
        if pending & ExceptionController.bit(SystemException.pendingService) != 0 { word |= 1 << 28 }
        if pending & ExceptionController.bit(SystemException.nonMaskable) != 0 { word |= 1 << 31 }
        return word
    }

    private mutating func setInterruptState(_ word: UInt32) {
        if word &>> 25 & 1 != 0 { exceptions.pending &= ~ExceptionController.bit(SystemException.systemTick) }
        if word &>> 27 & 1 != 0 { exceptions.pending &= ~ExceptionController.bit(SystemException.pendingService) }
        var set: UInt64 = 0
        if word &>> 26 & 1 != 0 { set |= ExceptionController.bit(SystemException.systemTick) }
        if word &>> 28 & 1 != 0 { set |= ExceptionController.bit(SystemException.pendingService) }
        if word &>> 31 & 1 != 0 { set |= ExceptionController.bit(SystemException.nonMaskable) }
        exceptions.pend(set)
    }

    /// Writes AIRCR, which groups priorities and can reset the chip (B3.2.6). Ignores a word without the key 0x05FA in its
    /// upper half.
    private mutating func controlReset(_ word: UInt32) {
        guard word &>> 16 == 0x05FA else { return }
        exceptions.grouping = word &>> 8 & 7
        if word & 4 != 0 { part?.reset = .software }
    }

    /// The bits of SHCSR (B3.2.13). Each pair is the position of a bit and the number of its exception.
    private static let handlerBits: (active: [(UInt32, Int)], pending: [(UInt32, Int)], enabled: [(UInt32, Int)]) = (
        [(0, 4), (1, 5), (3, 6), (7, 11), (8, 12), (10, 14), (11, 15)],
        [(12, 6), (13, 4), (14, 5), (15, 11)], [(16, 4), (17, 5), (18, 6)]
    )

    private var handlerState: UInt32 {
        func word(_ bits: [(UInt32, Int)], _ set: UInt64) -> UInt32 {
            bits.reduce(0) { $0 | (set & ExceptionController.bit($1.1) == 0 ? 0 : 1 &<< $1.0) }
        }
        return word(CortexM4.handlerBits.active, exceptions.active)
            | word(CortexM4.handlerBits.pending, exceptions.pending)
            | word(CortexM4.handlerBits.enabled, exceptions.enabled)
    }

    private mutating func setHandlerState(_ word: UInt32) {
        func set(_ bits: [(UInt32, Int)], _ set: inout UInt64) {
            for (bit, number) in bits {
                let mask = ExceptionController.bit(number)
                set = word &>> bit & 1 == 0 ? set & ~mask : set | mask
            }
        }
        set(CortexM4.handlerBits.active, &exceptions.active)
        set(CortexM4.handlerBits.pending, &exceptions.pending)
        set(CortexM4.handlerBits.enabled, &exceptions.enabled)
    }

    mutating func advanceTick() {
        if systemTick.advance(to: cycles) { exceptions.pend(ExceptionController.bit(SystemException.systemTick)) }
    }
}

/// The special registers (B1.4, B5.2).
extension CortexM4 {
    var isPrivileged: Bool { exceptionNumber != 0 || !isUnprivileged }

    /// Reads a special register for the instruction MRS. An unprivileged program can read the flags and CONTROL. It reads 0
    /// from every other register.
    func special(_ number: UInt8) -> UInt32 {
        switch number {
        case 0, 2: return flags.word
        case 1, 3: return flags.word | (isPrivileged ? UInt32(exceptionNumber) : 0)
        // EPSR reads as 0.
        case 5, 7: return isPrivileged ? UInt32(exceptionNumber) : 0
        case 20:
            return (isUnprivileged ? 1 : 0) | (stackChoice == .process ? 2 : 0) | (floatContext.isActive ? 4 : 0)
        case _: break
        }
        guard isPrivileged else { return 0 }
        switch number {
        // MSP and PSP: one of the two is the present stack pointer.
        case 8: return stackChoice == .main ? registers[13] : otherStack
        case 9: return stackChoice == .process ? registers[13] : otherStack
        case 16: return exceptions.masks.contains(.primask) ? 1 : 0
        case 17, 18: return UInt32(exceptions.basePriority)
        case 19: return exceptions.masks.contains(.faultmask) ? 1 : 0
        case _: return 0
        }
    }

    /// Writes a special register for the instruction MSR. An unprivileged program can write only the flags. Bit 1 of `mask`
    /// selects N, Z, C, V and Q, and bit 0 selects GE.
    mutating func setSpecial(_ number: UInt8, _ value: UInt32, _ mask: UInt8) {
        attention = 0
        switch number {
        case 0...3:
            if mask & 2 != 0 { flags.word = flags.word & ~0xF800_0000 | value & 0xF800_0000 }
            if mask & 1 != 0 { flags.word = flags.word & ~0x000F_0000 | value & 0x000F_0000 }
            return
        case _: break
        }
        guard isPrivileged else { return }
        let priority = UInt8(truncatingIfNeeded: value) & ExceptionController.priorityMask
        switch number {
        case 8: if stackChoice == .main { registers[13] = value & ~3 } else { otherStack = value & ~3 }
        case 9: if stackChoice == .process { registers[13] = value & ~3 } else { otherStack = value & ~3 }
        case 16: keepOff(.primask, value & 1 != 0)
        case 17: exceptions.basePriority = priority
        // BASEPRI_MAX only raises the priority.
        case 18:
            if priority != 0, exceptions.basePriority == 0 || priority < exceptions.basePriority {
                exceptions.basePriority = priority
            }
        case 19: keepOff(.faultmask, value & 1 != 0)
        case 20:
            if exceptionNumber == 0 { choose(value & 2 == 0 ? .main : .process) }
            isUnprivileged = value & 1 != 0
            floatContext.isActive = value & 4 != 0
        case _: break
        }
        protect()
    }

    /// Sets or clears interrupt masks for the instructions CPS and MSR. An unprivileged program changes nothing.
    mutating func keepOff(_ masked: MaskRegisters, _ isMasked: Bool) {
        attention = 0
        guard isPrivileged else { return }
        if isMasked {
            // A handler of HardFault or NMI cannot set FAULTMASK (B5.2.1).
            let isAbove = exceptions.active & 0b1100 != 0
            exceptions.masks.formUnion(isAbove ? masked.subtracting(.faultmask) : masked)
        } else {
            exceptions.masks.subtract(masked)
        }
        protect()
    }

    /// Makes `choice` the current stack pointer (B1.4.4, CONTROL.SPSEL).
    mutating func choose(_ choice: StackChoice) {
        guard choice != stackChoice else { return }
        (registers[13], otherStack, stackChoice) = (otherStack, registers[13], choice)
    }

    /// Tells the memory whether the program is privileged now, and whether it runs with FAULTMASK or in a handler of HardFault
    /// or NMI.
    mutating func protect() { protect(isPrivileged: isPrivileged) }

    mutating func protect(isPrivileged: Bool) {
        let isFaultPriority = exceptions.masks.contains(.faultmask) || exceptions.active & 0b1100 != 0
        memory.protect(isPrivileged: isPrivileged, isFaultPriority: isFaultPriority)
    }
}
