extension CortexM4 {
    enum Activity: Sendable {
        case running
        /// The core sleeps: `waitingForInterrupt` after WFI, or after the return from a handler if SLEEPONEXIT is set;
        /// `waitingForEvent` after WFE.
        case waitingForInterrupt, waitingForEvent
    }

    /// Why a run ended. The core has not executed the instruction at `next` yet.
    package enum Stop: Equatable, Sendable {
        case cycle
        /// The next instruction is a BKPT with this number, and `stopsAtBreakpoints` is set. `answerBreakpoint` skips the BKPT.
        case breakpoint(UInt8)
        case address
        case watchpoint(UInt32)
        /// The last instruction has written this word to a stimulus port of the trace.
        case traced(TracedWord)
        /// The chip must reset for this reason. The caller restarts `part` before it restarts the core.
        case reset(ResetReason)
    }

    /// Executes instructions and takes exceptions until the cycle `limit`. The last instruction may end after that cycle. The
    /// core must have peripherals.
    ///
    /// At the first instruction, the run ignores `stops` and watchpoints, so that a debugger can continue at the place where it
    /// stopped.
    package mutating func run<Observer: FlowObserver>(until limit: UInt64, _ observer: inout Observer) -> Stop {
        attention = 0
        if !stops.isEmpty || !memory.watchpoints.isEmpty, let stop = runOne(until: limit, &observer) { return stop }
        while true {
            if cycles >= attention {
                if let stop = settle(until: limit, &observer) { return stop }
                guard isThumb else {
                    fault(.invalidState)
                    continue
                }
            }
            let address = next
            do throws(Trap) {
                if try executeNext() { observer.moved(flow(from: address), cycles: cycles, instructions: instructions) }
            } catch {
                if let stop = take(error) { return stop }
            }
        }
    }

    /// Executes one instruction, and ignores `stops` and watchpoints at this instruction. A sleeping core first sleeps until it
    /// wakes or until `limit`. If the core enters a handler whose first instruction is at a stop, this function executes nothing
    /// and returns `.address`. Returns nil if the run can continue.
    package mutating func runOne<Observer: FlowObserver>(until limit: UInt64, _ observer: inout Observer) -> Stop? {
        attention = 0
        let begin = next
        if let stop = settle(until: limit, &observer) { return stop }
        // The handler of an exception may begin with a stop.
        if next != begin, stops.contains(next) { return .address }
        guard isThumb else {
            fault(.invalidState)
            return nil
        }
        let (address, watchpoints, stopped) = (next, memory.watchpoints, stops.contains(next))
        if !watchpoints.isEmpty { memory.watchpoints = [] }
        if stopped { program.restore(memory.flash, at: address) }
        defer {
            if !watchpoints.isEmpty { memory.watchpoints = watchpoints }
            if stopped { program.stop(at: address) }
        }
        do throws(Trap) {
            if try step() { observer.moved(flow(from: address), cycles: cycles, instructions: instructions) }
            return nil
        } catch {
            return take(error)
        }
    }

    /// Lets time pass and takes exceptions until the core can execute the next instruction. Returns nil, or the reason why the
    /// run must end before that instruction.
    @inline(never)
    package mutating func settle<Observer: FlowObserver>(until limit: UInt64, _ observer: inout Observer) -> Stop? {
        if let word = trace.written {
            trace.written = nil
            return .traced(word)
        }
        var end: UInt64 = 0
        while true {
            guard let outlook = sampleLines() else { preconditionFailure("a bare core has no time to settle") }
            if let reason = outlook.reset { return .reset(reason) }
            if let changed = memory.changedFlash {
                program.decode(memory.flash, changed)
                flashWaits.clearCache()
                memory.changedFlash = nil
                for address in stops { program.stop(at: address) }
            }
            let now = cycles
            end = min(outlook.due, activity == .running || ticksWhileAsleep ? systemTick.due : .max, limit)
            if outlook.busyUntil > now {
                guard now < limit else { return .cycle }
                counter.spend(min(outlook.busyUntil, end) &- now)
            } else if now >= limit {
                // Ends even if no instruction was executed, because a damaged vector table can lead from exception to
                // exception.
                return .cycle
            } else if next >= 0xF000_0000, exceptionNumber != 0 {
                returnFromException(&observer)
            } else if exceptions.preempting != nil {
                enterException(&observer)
            } else if activity == .running || wakes() {
                break
            } else {
                // Nothing would ever wake the core.
                guard end < .max else { return .cycle }
                sleep(until: end, &observer)
            }
        }
        attention = end
        return nil
    }

    /// Makes `run` check the peripherals before the next instruction if an access has changed an interrupt line, flash, or the
    /// time of the chip's next action. The core calls this after each access to a peripheral.
    @inline(__always)
    mutating func noticePart() {
        guard let outlook = part?.outlook(at: 0, &memory) else { return }
        flashWaits.controlCache(outlook.cacheControl)
        let isNew = outlook.interrupts &<< 16 != exceptions.lines || outlook.reset != nil || memory.changedFlash != nil
        if isNew || outlook.busyUntil > cycles || outlook.due < attention { attention = 0 }
    }

    /// Whether the memory at `next` exists and the core may execute it. Otherwise the fetch of the instruction is a fault.
    package var hasInstruction: Bool {
        memory.allows(next, 2, .execute) && memory.vector(at: next & ~3) != nil
    }

    private mutating func wakes() -> Bool {
        switch activity {
        case .running: return true
        case .waitingForInterrupt:
            guard exceptions.endsWait else { return false }
        case .waitingForEvent:
            guard exceptions.hasEvent else { return false }
            exceptions.hasEvent = false
        }
        activity = .running
        return true
    }

    private mutating func sleep<Observer: FlowObserver>(until end: UInt64, _ observer: inout Observer) {
        let slept = end &- cycles
        counter.spend(slept)
        asleepCycles &+= slept
        if !ticksWhileAsleep { systemTick.rest(slept) }
        observer.slept(slept, cycles: cycles)
    }

    /// Advances the peripherals and SysTick to the present cycle, and samples the interrupt lines. Returns nil for a bare
    /// core, which has no peripherals.
    @discardableResult
    mutating func sampleLines() -> NRF52832.Outlook? {
        let now = cycles
        let outlook = part?.outlook(at: now, &memory)
        if systemTick.due <= now { advanceTick() }
        // The exceptions of the floating-point unit are interrupt 38 (Nordic's header nrf52.h; erratum 87).
        let float: UInt64 = self.float.word & 0x9F == 0 ? 0 : 1 << 38
        exceptions.sample((outlook?.interrupts ?? 0) | float)
        return outlook
    }

    private mutating func take(_ trap: Trap) -> Stop? {
        switch trap {
        case .breakpoint(let number) where stopsAtBreakpoints: return .breakpoint(number)
        case .stopped: return .address
        case .watched(let address): return .watchpoint(address)
        case .breakpoint, .undefined, .unaligned, .divisionByZero, .invalidState, .noCoprocessor, .bus, .forbidden,
            .instructionBus, .instructionForbidden, .supervisorCall, .waitsForInterrupt, .waitsForEvent:
            fault(trap)
            return nil
        }
    }

    /// Resets the core (B1.5.5). The vector table gives the stack pointer and the address of the first instruction. The cycle
    /// count, the content of memory, and the peripherals do not change.
    ///
    /// - Parameter vectors: the address of the vector table. VTOR gets this value too, as if a bootloader had written it.
    package mutating func restart(vectors: UInt32 = 0) {
        var fresh = CortexM4(
            memory: memory, program: program, entry: memory.vector(at: vectors &+ 4) ?? 0,
            stack: memory.vector(at: vectors) ?? 0, counter: counter, flashWaits: flashWaits)
        fresh.memory.resetSystem()
        fresh.flashWaits.reset()
        (fresh.part, fresh.vectorTable) = (part, vectors)
        fresh.part?.reset = nil
        fresh.faultRecord = faultRecord
        (fresh.instructions, fresh.asleepCycles) = (instructions, asleepCycles)
        (fresh.stops, fresh.stopsAtBreakpoints, fresh.ticksWhileAsleep) = (stops, stopsAtBreakpoints, ticksWhileAsleep)
        fresh.trace = trace
        self = fresh
    }
}

extension FlowObserver {
    package mutating func entered(
        _ exception: Int, at handler: UInt32, isChained: Bool, frame: UInt32, cycles: UInt64, instructions: UInt64
    ) {}

    package mutating func returned(to address: UInt32, frame: UInt32, cycles: UInt64, instructions: UInt64) {}

    package mutating func slept(_ asleep: UInt64, cycles: UInt64) {}
}
