/// An emulated watch: an nRF52832 on a board, and the firmware image that it executes. A copy is a saved state. The same image,
/// board, inputs and seed always give the same state.
package struct Machine: Sendable {
    package struct Reset: Equatable, Sendable {
        package let reason: ResetReason
        package let cycle: UInt64
        package let feeding: Watchdog.Feeding?
    }

    package enum Stop: Equatable, Sendable {
        /// The next instruction is a BKPT that is not a semihosting call. The case holds the number in the instruction.
        case breakpoint(UInt8)
        /// The next instruction is at one of the addresses in `stops`.
        case address
        case watchpoint(UInt32)
        /// The program has written this word to a stimulus port. This happens only after `attachTrace`.
        case traced(TracedWord)
        /// The program has ended itself by semihosting, with this exit status.
        case exited(UInt32)
        /// The chip has reset eight times within 100 ms, for example because the image is damaged. The case holds the reason of
        /// the last reset.
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

    /// Creates a watch that has just been powered on. `seed` determines the chip's identity and its random numbers.
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

    /// Replaces the chip's peripherals and the board with new ones that have just been powered on. The core and its memory stay
    /// as they are.
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

    /// Whether an RTC will raise an enabled event, or SysTick will interrupt.
    var ticks: Bool { core.systemTick.due != .max || part.hasTick }

    package mutating func apply(_ input: WearerInput) throws(EmulatorError) {
        let cycle = now
        try part.board.apply(input, at: cycle)
    }

    /// Executes instructions up to a cycle. A reset does not end the run, except in a reset loop. Returns nil if the run
    /// reaches the cycle, otherwise the reason why it stopped.
    package mutating func run(until cycle: UInt64) -> Stop? {
        var nothing = NoObserver()
        return run(until: cycle, &nothing)
    }

    package mutating func run<Observer: FlowObserver>(until cycle: UInt64, _ observer: inout Observer) -> Stop? {
        while true {
            if let stop = resume(core.run(until: cycle, &observer)) { return stop.value }
        }
    }

    /// Switches the core's trace on, as a debugger does. From then on, each word that the program writes to a stimulus port
    /// ends a run.
    package mutating func attachTrace() { core.trace.attach() }

    package mutating func step() -> Stop? {
        var nothing = NoObserver()
        guard let stop = core.runOne(until: now + Machine.cyclesPerSecond, &nothing) else { return nil }
        return resume(stop)?.value
    }

    /// Handles a stop of the core. Returns nil if the run continues after it. Otherwise `value` is the machine's stop, or nil
    /// if the run has reached its last cycle.
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

    /// Performs the semihosting call at which the core has stopped. Returns the exit status if the call ends the program,
    /// otherwise nil.
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

    /// Reads a register. Numbers 0 to 12 are R0 to R12, 13 is the stack pointer, and 14 the link register. 15 is the address of
    /// the next instruction, and 16 is xPSR. Any other number gives 0.
    package func register(_ number: Int) -> UInt32 {
        switch number {
        case 0..<15: core.register(UInt8(number))
        case 15: core.next
        case 16: core.status
        case _: 0
        }
    }

    /// Writes a register. The numbers are those of `register(_:)`. In xPSR, only the flags change.
    package mutating func setRegister(_ number: Int, to word: UInt32) {
        switch number {
        case 0..<15: core.setRegister(UInt8(number), to: word)
        case 15: core.next = word & ~1
        case 16: core.flags.word = word & 0xF80F_0000
        case _: break
        }
    }

    /// Reads bytes of memory. Returns nil unless all are in flash, or all in RAM. Registers of peripherals cannot be read in
    /// this way, because a read changes some of them.
    package func bytes(at address: UInt32, count: Int) -> [UInt8]? {
        core.memory.bytes(at: address, count: count).map(Array.init)
    }

    func word(at address: UInt32) -> UInt32? {
        bytes(at: address, count: 4)?.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Writes bytes to RAM. Returns false, and writes nothing, if some of the addresses are outside RAM.
    package mutating func write(_ bytes: [UInt8], at address: UInt32) -> Bool {
        core.memory.write(bytes, at: address)
    }
}
