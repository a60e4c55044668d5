/// A watch that executes a firmware image: an nRF52832 on its board. It is a value: a copy is a saved state, and the same image,
/// inputs and seed give the same state.
package struct Machine: Sendable {
    package struct Reset: Equatable, Sendable {
        package let reason: ResetReason
        package let cycle: UInt64
        package let feeding: Watchdog.Feeding?
    }

    package enum Stop: Equatable, Sendable {
        /// The next instruction is a BKPT that is no semihosting call.
        case breakpoint(UInt8)
        /// The next instruction is at one of the addresses in `stops`.
        case address
        case watchpoint(UInt32)
        /// If a debugger has switched the trace on: the program has written this word to a stimulus port.
        case traced(TracedWord)
        /// The program has ended itself by semihosting, with this exit status.
        case exited(UInt32)
        /// The chip has reset eight times within 100 ms, as with damaged flash.
        case resetLoop(ResetReason)
    }

    /// The frequency of the core's clock. A machine counts all times in cycles of this clock.
    package static let cyclesPerSecond: UInt64 = 64_000_000

    package private(set) var core: CortexM4
    package let image: FirmwareImage
    package private(set) var resets: [Reset] = []
    private var output: [UInt8] = []
    private static let mostOutput = 1 << 20
    private static let mostQuickResets = 8

    /// A watch that has just got power. `seed` gives the chip its identity and its random numbers.
    package init(_ image: FirmwareImage, on board: BoardDevices, seed: UInt64 = 0) {
        self.image = image
        let memory = MemoryMap(flash: image.flash, ramSize: FirmwareImage.ram.count)
        var timing = CoreTiming.cortexM4
        // The wait states without the cache (nRF52832 Product Specification v1.4, chapter 7).
        timing.flashWaitStates = 2
        core = CortexM4(memory: memory, entry: 0, stack: 0, timing: timing)
        core.part = NRF52832(board: board, seed: seed)
        core.part?.programConfiguration(image.configuration)
        core.stopsAtBreakpoints = true
        core.restart(vectors: image.vectors)
    }

    /// Gives the image another chip and board, which have just got power.
    package mutating func replacePart(on board: BoardDevices, seed: UInt64) {
        core.part = NRF52832(board: board, seed: seed)
        core.part?.programConfiguration(image.configuration)
    }

    package var now: UInt64 { core.cycles }
    package var asleep: UInt64 { core.asleepCycles }
    package var instructions: UInt64 { core.instructions }
    /// Whether the core waits for an interrupt or an event.
    package var isAsleep: Bool { core.activity != .running }

    var nextEvent: UInt64 { core.part?.due ?? .max }
    var isSendingSerial: Bool { core.part?.isSendingSerial ?? false }

    package var part: NRF52832 {
        get { core.part ?? NRF52832(board: BoardDevices()) }
        _modify {
            // `init` sets the part, and it is never nil after that.
            yield &core.part!
        }
    }

    package var board: BoardDevices { part.board }

    /// Whether an RTC or SysTick will interrupt.
    var ticks: Bool { core.systemTick.due != .max || part.hasTick }

    package mutating func apply(_ input: WearerInput) throws(EmulatorError) {
        let cycle = now
        try part.board.apply(input, at: cycle)
    }

    /// Executes up to a cycle, through resets. Returns nil if it reaches the cycle, otherwise the reason why it stopped.
    package mutating func run(until cycle: UInt64) -> Stop? {
        var nothing = NoObserver()
        return run(until: cycle, &nothing)
    }

    package mutating func run<Observer: FlowObserver>(until cycle: UInt64, _ observer: inout Observer) -> Stop? {
        while true {
            if let stop = resume(core.run(until: cycle, &observer)) { return stop.value }
        }
    }

    /// Switches the core's trace on, as a debugger does. Each word that the program writes to a stimulus port ends a run.
    package mutating func attachTrace() { core.trace.attach() }

    package mutating func step() -> Stop? {
        var nothing = NoObserver()
        guard let stop = core.runOne(until: now + Machine.cyclesPerSecond, &nothing) else { return nil }
        return resume(stop)?.value
    }

    /// Handles a stop of the core. Returns nil if the machine continues, otherwise its own stop. A nil `value` means that the
    /// machine has reached the cycle.
    private mutating func resume(_ stop: CortexM4.Stop) -> (value: Stop?, Void)? {
        switch stop {
        case .cycle: return (nil, ())
        case .address: return (.address, ())
        case .watchpoint(let address): return (.watchpoint(address), ())
        case .traced(let word): return (.traced(word), ())
        case .breakpoint(Semihosting.breakpoint):
            guard let status = answerSemihosting() else { return nil }
            return (.exited(status), ())
        case .breakpoint(let number): return (.breakpoint(number), ())
        case .reset(let reason):
            resets.append(Reset(reason: reason, cycle: now, feeding: part.watchdog.lastFeeding))
            let cycle = now
            core.part?.restart(at: cycle)
            core.restart(vectors: image.vectors)
            let recent = resets.suffix(Machine.mostQuickResets)
            let isLoop =
                recent.count == Machine.mostQuickResets
                && now - (recent.first?.cycle ?? 0) < Machine.cyclesPerSecond / 10
            return isLoop ? (.resetLoop(reason), ()) : nil
        }
    }

    /// Performs the present semihosting call. Returns the status of an exit; nil for other calls.
    private mutating func answerSemihosting() -> UInt32? {
        var result = core.register(0)
        switch Semihosting.call(core) {
        case .exit(let status): return status
        case .write(let text): output.append(contentsOf: text.prefix(Machine.mostOutput - output.count))
        case .other: result = .max
        }
        core.answerBreakpoint(result)
        return nil
    }

    package mutating func takeFault() -> FaultRecord? {
        guard core.faultRecord != nil else { return nil }
        defer { core.faultRecord = nil }
        return core.faultRecord
    }

    package mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }
}

extension Machine {
    package var stops: Set<UInt32> {
        get { core.stops }
        set { core.stops = newValue }
    }

    /// The memory accesses before which the machine stops.
    package var watchpoints: [Watchpoint] {
        get { core.memory.watchpoints }
        set { core.memory.watchpoints = newValue }
    }

    package mutating func removeStops() { (stops, watchpoints) = ([], []) }

    /// Resets the chip, as the reset pin does.
    package mutating func reset() {
        core.part?.reset = .pin
        _ = resume(.reset(.pin))
    }

    /// A register: 0 to 12, 13 the stack pointer, 14 the link register, 15 the address of the next instruction, 16 xPSR.
    package func register(_ number: Int) -> UInt32 {
        switch number {
        case 0..<15: core.register(UInt8(number))
        case 15: core.next
        case 16: core.status
        case _: 0
        }
    }

    /// Writes a register. Of xPSR, it writes only the flags.
    package mutating func setRegister(_ number: Int, to word: UInt32) {
        switch number {
        case 0..<15: core.setRegister(UInt8(number), to: word)
        case 15: core.next = word & ~1
        case 16: core.flags.word = word & 0xF80F_0000
        case _: break
        }
    }

    /// Bytes of memory; nil if some are neither flash nor RAM. Registers of peripherals are not read, because reading changes
    /// some of them.
    package func bytes(at address: UInt32, count: Int) -> [UInt8]? {
        core.memory.bytes(at: address, count: count).map(Array.init)
    }

    func word(at address: UInt32) -> UInt32? {
        bytes(at: address, count: 4)?.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Writes bytes to RAM. Returns false, and writes nothing, if they do not fit.
    package mutating func write(_ bytes: [UInt8], at address: UInt32) -> Bool {
        core.memory.write(bytes, at: address)
    }
}
