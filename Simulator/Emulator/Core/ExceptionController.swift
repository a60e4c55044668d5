/// The numbers of the system's exceptions (B1.5.2). Interrupt n is exception 16 + n.
enum SystemException {
    static let nonMaskable = 2
    static let hardFault = 3
    static let memoryFault = 4
    static let busFault = 5
    static let usageFault = 6
    static let supervisorCall = 11
    static let debugMonitor = 12
    static let pendingService = 14
    static let systemTick = 15
}

/// The state of the nested vectored interrupt controller: the states and priorities of all exceptions (B1.5.4, B3.4).
///
/// In a set of exceptions, bit n stands for exception n.
struct ExceptionController: Sendable {
    /// The set of the nRF52832's 39 interrupts. Each has three bits of priority (Nordic's header nrf52.h).
    static let interrupts: UInt64 = 0x7F_FFFF_FFFF &<< 16
    static let priorityMask: UInt8 = 0xE0
    /// The exceptions whose priority can be set.
    private static let configurable: UInt64 =
        interrupts | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 11 | 1 << 12 | 1 << 14 | 1 << 15
    /// The exceptions that software cannot disable: NMI, HardFault, SVCall, PendSV and SysTick.
    private static let alwaysEnabled: UInt64 = 1 << 2 | 1 << 3 | 1 << 11 | 1 << 14 | 1 << 15

    var pending: UInt64 = 0
    var active: UInt64 = 0
    var enabled = ExceptionController.alwaysEnabled
    private(set) var lines: UInt64 = 0
    /// The priority of each exception. A lower number is a higher priority.
    var priorities = InlineArray<64, UInt8>(repeating: 0)
    /// AIRCR.PRIGROUP. Whether an exception preempts depends only on the bits of its priority above bit `grouping`.
    var grouping: UInt32 = 0
    /// BASEPRI: only exceptions of a higher priority than this value can preempt. 0 sets no limit.
    var basePriority: UInt8 = 0
    var masks = MaskRegisters()
    /// Whether the event register is set. WFE clears the register, and waits only if it is clear (B1.5.18).
    var hasEvent = false
    /// SCR: SEVONPEND is bit 4, SLEEPDEEP 2, SLEEPONEXIT 1.
    var sleepControl: UInt32 = 0

    static func bit(_ number: Int) -> UInt64 { 1 &<< UInt64(number) }

    func isActive(_ number: Int) -> Bool { active & ExceptionController.bit(number) != 0 }

    private func group(_ priority: UInt8) -> Int { Int(UInt32(priority) & ~((2 &<< grouping) &- 1)) }

    /// Returns the part of an exception's priority that decides whether the exception preempts (B1.5.4).
    func groupPriority(_ number: Int) -> Int {
        switch number {
        case SystemException.nonMaskable: -2
        case SystemException.hardFault: -1
        case _: group(priorities[number])
        }
    }

    /// Returns the priority of the code that runs (B1.5.4, ExecutionPriority). 256 is the lowest: no exception is active, and
    /// no register masks exceptions.
    func executionPriority(ignoresPrimask: Bool = false) -> Int {
        if masks.contains(.faultmask) || active & 0b1100 != 0 {
            return isActive(SystemException.nonMaskable) ? -2 : -1
        }
        var priority = 256
        var rest = active
        while rest != 0 {
            priority = min(priority, groupPriority(rest.trailingZeroBitCount))
            rest &= rest &- 1
        }
        if basePriority != 0 { priority = min(priority, group(basePriority)) }
        return masks.contains(.primask) && !ignoresPrimask ? min(priority, 0) : priority
    }

    /// The pending and enabled exception with the highest priority; nil if there is none. If several have that priority, the
    /// lowest number decides.
    var first: Int? {
        var rest = pending & enabled
        guard rest != 0 else { return nil }
        var (found, best) = (0, 256)
        while rest != 0 {
            let number = rest.trailingZeroBitCount
            let priority = number < SystemException.memoryFault ? number - 4 : Int(priorities[number])
            if priority < best { (found, best) = (number, priority) }
            rest &= rest &- 1
        }
        return found
    }

    /// The pending exception that preempts the code that runs; nil if none does.
    var preempting: Int? {
        guard let first, groupPriority(first) < executionPriority() else { return nil }
        return first
    }

    /// Whether a pending exception ends WFI. PRIMASK does not prevent that (B1.5.19).
    var endsWait: Bool {
        guard let first else { return false }
        return groupPriority(first) < executionPriority(ignoresPrimask: true)
    }

    mutating func pend(_ set: UInt64) {
        // With SEVONPEND, an exception that becomes pending is an event, enabled or not.
        if sleepControl & 0x10 != 0, set & ~pending != 0 { hasEvent = true }
        pending |= set
    }

    /// Samples the interrupt lines (B3.4.1). An asserted line makes its interrupt pending, unless the interrupt is active and
    /// the line was already asserted at the previous sample.
    ///
    /// - Parameter lines: bit n is the line of interrupt n.
    mutating func sample(_ lines: UInt64) {
        let asserted = lines &<< 16
        pend(asserted & ~(active & self.lines))
        self.lines = asserted
    }

    mutating func activate(_ number: Int) {
        pending &= ~ExceptionController.bit(number)
        active |= ExceptionController.bit(number)
        hasEvent = true
    }

    mutating func deactivate(_ number: Int) {
        active &= ~ExceptionController.bit(number)
        if number != SystemException.nonMaskable { masks.remove(.faultmask) }
        hasEvent = true
        sample(lines &>> 16)
    }

    // MARK: Registers

    /// Reads a register of the interrupt controller (B3.4). The address is from 0xE000_E100 to 0xE000_E4FF. Returns 0 if no
    /// register is there.
    func word(at address: UInt32) -> UInt32 {
        let index = address & 0x7F
        let shift = UInt64(16 &+ (index &<< 3))
        func bits(_ set: UInt64) -> UInt32 {
            index < 8 ? UInt32(truncatingIfNeeded: (set & ExceptionController.interrupts) &>> shift) : 0
        }
        switch address & 0xF80 {
        case 0x100, 0x180: return bits(enabled)
        case 0x200, 0x280: return bits(pending)
        case 0x300: return bits(active)
        case 0x400: return priorityWord(of: Int(index) + 16)
        case _: return 0
        }
    }

    mutating func write(_ word: UInt32, mask: UInt32, at address: UInt32) {
        let index = address & 0x7F
        if address & 0xF80 == 0x400 { return setPriorities(word, mask: mask, of: Int(index) + 16) }
        guard index < 8 else { return }
        let set = UInt64(word & mask) &<< UInt64(16 &+ (index &<< 3)) & ExceptionController.interrupts
        switch address & 0xF80 {
        case 0x100: enabled |= set
        case 0x180: enabled &= ~set
        case 0x200: pend(set)
        case 0x280:
            pending &= ~set
            sample(lines &>> 16)
        case _: break
        }
    }

    /// Returns the priorities of the exceptions `first` to `first + 3`, a byte for each. The lowest byte is the priority of
    /// exception `first`.
    func priorityWord(of first: Int) -> UInt32 {
        guard first < 61 else { return 0 }
        return (0..<4).reduce(0) { $0 | UInt32(priorities[first + $1]) &<< UInt32(8 * $1) }
    }

    mutating func setPriorities(_ word: UInt32, mask: UInt32, of first: Int) {
        for place in 0..<4 where mask &>> UInt32(8 * place) & 0xFF != 0 {
            guard ExceptionController.configurable &>> UInt64(first + place) & 1 != 0 else { continue }
            let priority = UInt8(truncatingIfNeeded: word &>> UInt32(8 * place))
            priorities[first + place] = priority & ExceptionController.priorityMask
        }
    }
}

/// The registers that report faults (B3.2.15 to B3.2.19), and CCR, which configures faults.
struct FaultStatus: Equatable, Sendable {
    /// CFSR and HFSR, which name the causes of faults.
    var (configurable, hard): (UInt32, UInt32) = (0, 0)
    /// MMFAR is the address of the last data access that memory protection forbade. BFAR is the address of the last data access
    /// that caused a bus fault.
    var (memoryAddress, busAddress): (UInt32, UInt32) = (0, 0)
    /// CCR, which configures faults. After a reset, only STKALIGN (bit 9) is set.
    var control: UInt32 = 1 << 9

    var isStackAligned: Bool { control &>> 9 & 1 != 0 }
    /// Whether handlers of HardFault and NMI ignore bus faults (CCR.BFHFNMIGN).
    var ignoresBusFaults: Bool { control &>> 8 & 1 != 0 }
    var trapsDivisionByZero: Bool { control &>> 4 & 1 != 0 }
    var trapsUnaligned: Bool { control &>> 3 & 1 != 0 }

    enum Cause: UInt32 {
        case instructionProtection = 0
        case dataProtection = 1
        case protectedUnstacking = 3
        case protectedStacking = 4
        case instructionBus = 8
        case dataBus = 9
        case unstackingBus = 11
        case stackingBus = 12
        case undefined = 16
        case invalidState = 17
        case invalidReturn = 18
        case noCoprocessor = 19
        case unaligned = 24
        case divisionByZero = 25

        var exception: Int {
            switch rawValue {
            case 0..<8: SystemException.memoryFault
            case 8..<16: SystemException.busFault
            case _: SystemException.usageFault
            }
        }
    }

    mutating func note(_ cause: Cause, at address: UInt32?) {
        configurable |= 1 &<< cause.rawValue
        guard let address else { return }
        if cause.exception == SystemException.memoryFault {
            memoryAddress = address
            configurable |= 1 << 7
        } else {
            busAddress = address
            configurable |= 1 << 15
        }
    }
}

/// The registers that control how an exception saves floating-point registers (B3.2.21 to B3.2.23).
struct FloatContext: Equatable, Sendable {
    /// FPCCR without LSPACT. ASPEN is bit 31, LSPEN bit 30.
    var control: UInt32 = 0xC000_0000
    /// FPCAR, the address at which the core saves the floating-point registers, and FPDSCR, the value of FPSCR with which a new
    /// context begins.
    var (address, defaults): (UInt32, UInt32) = (0, 0)
    /// Whether the running program has used floating-point registers (CONTROL.FPCA). If so, an exception reserves room on the
    /// stack for them.
    var isActive = false
    /// Whether the core has yet to save the floating-point registers of the interrupted program (FPCCR.LSPACT).
    var isUnsaved = false

    var isReady: Bool { isActive && !isUnsaved }
    var isAutomatic: Bool { control &>> 31 & 1 != 0 }
    var isLazy: Bool { control &>> 30 & 1 != 0 }
}

/// SysTick (B3.3). Its clock is always that of the core, because the nRF52832 has no reference clock.
struct SystemTick: Equatable, Sendable {
    private enum Count: Equatable {
        case stopped(UInt32)
        /// The counter next reaches 0 at the cycle `zero`.
        case running(zero: UInt64)
    }

    /// CSR without COUNTFLAG. ENABLE is bit 0, TICKINT bit 1, CLKSOURCE bit 2.
    private var control: UInt32 = 4
    private var reload: UInt32 = 0
    private var count = Count.stopped(0)
    private var hasCounted = false

    /// The next cycle at which SysTick makes its exception pending; `UInt64.max` if it is stopped or its interrupt is off.
    var due: UInt64 {
        guard control & 2 != 0, case .running(let zero) = count else { return .max }
        return zero
    }

    /// Advances SysTick to the end of `cycle`. Returns whether its exception becomes pending: the counter has reached 0, and the
    /// interrupt is on.
    mutating func advance(to cycle: UInt64) -> Bool {
        guard case .running(let zero) = count, zero <= cycle else { return false }
        hasCounted = true
        if reload == 0 {
            // Without a reload value, the counter stays at 0 (B3.3.1).
            count = .stopped(0)
        } else {
            let period = UInt64(reload) + 1
            count = .running(zero: zero + ((cycle - zero) / period + 1) * period)
        }
        return control & 2 != 0
    }

    mutating func rest(_ cycles: UInt64) {
        if case .running(let zero) = count { count = .running(zero: zero + cycles) }
    }

    private func value(at cycle: UInt64) -> UInt32 {
        switch count {
        case .stopped(let value): return value
        case .running(let zero):
            // The counter is also 0 one period, `reload` + 1 cycles, before `zero`.
            let left = zero - cycle
            return left > UInt64(reload) ? 0 : UInt32(left)
        }
    }

    private mutating func start(from value: UInt32, at cycle: UInt64) {
        guard control & 1 != 0, value > 0 || reload > 0 else { return count = .stopped(value) }
        count = .running(zero: cycle + (value > 0 ? UInt64(value) : UInt64(reload) + 1))
    }

    /// Reads a register. A read of CSR clears COUNTFLAG.
    mutating func read(_ address: UInt32, at cycle: UInt64) -> UInt32 {
        switch address {
        case 0xE000_E010:
            defer { hasCounted = false }
            return control | (hasCounted ? 1 << 16 : 0)
        case 0xE000_E014: return reload
        case 0xE000_E018: return value(at: cycle)
        // CALIB: no reference clock, and no calibration.
        case _: return 3 << 30
        }
    }

    mutating func write(_ word: UInt32, to address: UInt32, at cycle: UInt64) {
        let value = value(at: cycle)
        switch address {
        case 0xE000_E010:
            let wasRunning = control & 1 != 0
            control = word & 3 | 4
            if wasRunning != (control & 1 != 0) { start(from: value, at: cycle) }
        case 0xE000_E014:
            reload = word & 0xFF_FFFF
            if case .stopped(let value) = count { start(from: value, at: cycle) }
        case 0xE000_E018:
            hasCounted = false
            start(from: 0, at: cycle)
        case _: break
        }
    }
}
