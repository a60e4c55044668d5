/// The nRF52832 without its core: the chip's peripherals, the devices on the board, and the air.
///
/// Each peripheral has a number: bits 12 to 17 of its base address. Its interrupt has the same number. For each peripheral, the
/// chip stores the next cycle at which the peripheral acts by itself. While no peripheral is due, `outlook` therefore costs one
/// comparison.
/// Source: nRF52832 Product Specification v1.4, chapters 8 (memory), 15 (peripheral interface) and 22 (PPI).
package struct NRF52832: Sendable {
    /// The devices on the board. If the caller changes a device, the chip sees the change before the core's next instruction.
    package var board: BoardDevices {
        _read { yield devices }
        _modify {
            defer { (isBoardChanged, due) = (true, 0) }
            yield &devices
        }
    }
    /// The air between the chip's radio and other radios. A change reschedules the chip's radio, because another radio may now
    /// send earlier.
    package var air: Air {
        _read { yield radio.air }
        _modify {
            defer { finish(0x01) }
            yield &radio.air
        }
    }
    package var isOff: Bool { power.isOff }
    /// The next cycle at which the chip acts without an access by the core; `.max` if there is none.
    private(set) var due: UInt64 = .max
    /// The asserted interrupt lines of the peripherals: bit n is interrupt n.
    private(set) var interrupts: UInt64 = 0
    struct Outlook {
        let due: UInt64
        let interrupts: UInt64
        /// The first cycle at which the core may execute. It is in the future while flash is programmed or erased, and `.max`
        /// in System OFF.
        let busyUntil: UInt64
        let reset: ResetReason?
        let cacheControl: UInt32
    }

    /// Lets the peripherals and the board act up to and including `cycle`, and returns what the core needs to know. The core
    /// does not read this from properties, because the compiler would copy the whole chip for each property.
    @inline(__always)
    mutating func outlook(at cycle: UInt64, _ memory: inout MemoryMap) -> Outlook {
        if due <= cycle { advance(to: cycle, &memory) }
        let busy = power.isOff ? .max : flash.busyUntil
        return Outlook(
            due: due, interrupts: interrupts, busyUntil: busy, reset: reset, cacheControl: flash.cacheControl)
    }

    /// Whether the chip records the times at which its buses and its radio are active.
    package var notesWork: Bool {
        get { signals.work != nil }
        set { signals.work = newValue ? [] : nil }
    }
    /// The activity of the buses and the radio since `notesWork` was last set to true; empty if it is false.
    package var work: [BusWork] { signals.work ?? [] }

    var hasTick: Bool { rtc0.due != .max || rtc1.due != .max || rtc2.due != .max }

    /// Why the chip must reset; nil if no reset is due. The core sets this property when software requests a reset, and at a
    /// lock-up. `restart` performs the reset and sets the property to nil.
    var reset: ResetReason?
    /// Whether an access to a register that is not modelled is a bus fault.
    package var isStrict = false
    /// The program's accesses that are not modelled. For each address, only the first access of each kind is recorded.
    package private(set) var unmodelled: [UnmodelledAccess] = []

    var signals = Signals(now: 0)
    private var dues: InlineArray<40, UInt64> = .init(repeating: .max)
    private var nextDue = 0
    private var devices: BoardDevices
    private var isBoardChanged = true

    private let seed: UInt64
    var power = PowerAndClock()
    var radio = Radio()
    private var blockCipher = BlockCipher()
    private var packetCipher = PacketCipher()
    private var serial = Serial()
    private var bus0 = BusMaster(base: 0x4000_3000, hasTWI: true)
    private var bus1 = BusMaster(base: 0x4000_4000, hasTWI: true)
    private var bus2 = BusMaster(base: 0x4002_3000, hasTWI: false)
    private var gpiote = GPIOTE()
    private var converter = AnalogConverter()
    private var timer0 = Timer(base: 0x4000_8000, channels: 4)
    private var timer1 = Timer(base: 0x4000_9000, channels: 4)
    private var timer2 = Timer(base: 0x4000_A000, channels: 4)
    private var timer3 = Timer(base: 0x4001_A000, channels: 6)
    private var timer4 = Timer(base: 0x4001_B000, channels: 6)
    private var rtc0 = RTC(base: 0x4000_B000, channels: 3)
    private var rtc1 = RTC(base: 0x4001_1000, channels: 4)
    private var rtc2 = RTC(base: 0x4002_4000, channels: 4)
    private var thermometer = Thermometer()
    private var random: RandomSource
    package private(set) var watchdog = Watchdog()
    private var pulses: InlineArray<3, PulseWidth> = [
        PulseWidth(base: 0x4001_C000), PulseWidth(base: 0x4002_1000), PulseWidth(base: 0x4002_2000),
    ]
    var flash = FlashController()
    private var ppi = PPI()
    private var gpio = GPIO()
    private let information: FactoryInformation

    /// A chip after power-on, with an erased UICR.
    ///
    /// - Parameter seed: determines the chip's identity and its random numbers.
    package init(board: BoardDevices, seed: UInt64 = 0) {
        devices = board
        self.seed = seed
        random = RandomSource(seed: seed)
        information = FactoryInformation(seed: seed)
        due = 0
    }

    /// Programs words of UICR as a flash tool does, from an offset in bytes. If UICR selects no reset pin after this, P0.21
    /// becomes the reset pin. Without a reset pin, start-up code would write PSELRESET and reset the chip.
    package mutating func programConfiguration(_ words: [UInt32], from offset: UInt32 = 0) {
        flash.program(words, from: offset)
        if flash.resetPin == nil { flash.program([21, 21], from: 0x200) }
    }

    var isSendingSerial: Bool { serial.isSending }

    /// Queues bytes that the other end of UARTE0's line sends. Sending begins at `cycle`, or after the bytes that are already
    /// in the queue.
    package mutating func receiveSerial(_ bytes: some Sequence<UInt8>, at cycle: UInt64) {
        serial.receive(bytes, at: cycle)
        finish(0x02)
    }

    package mutating func takeSerial() -> [UInt8] { serial.takeSent() }

    /// Resets the chip for the reason in `reset`; does nothing if that is nil. Memory, UICR, the board, and the earlier reasons
    /// in RESETREAS keep their values.
    mutating func restart(at cycle: UInt64) {
        guard let reason = reset else { return }
        var fresh = NRF52832(board: devices, seed: seed)
        fresh.isStrict = isStrict
        fresh.unmodelled = unmodelled
        fresh.random = random
        fresh.radio = radio
        fresh.radio.restart()
        fresh.serial.keepLine(of: serial)
        fresh.flash = flash
        fresh.flash.restart()
        fresh.power = power
        fresh.power.restart(reason)
        // By the specification's table of reset behaviour, a reset by software or lock-up keeps the watchdog, and a wake-up
        // keeps GPIO.
        switch reason {
        case .software, .lockup: fresh.watchdog = watchdog
        case .wake: fresh.gpio = gpio
        case .pin, .watchdog: break
        }
        fresh.signals = signals
        fresh.signals.now = cycle
        self = fresh
        devices.outputsChanged(gpio.outputLevels, outputs: gpio.outputs, at: cycle)
        finish(0x10)
    }

    // MARK: Time

    /// Lets the peripherals and the board act up to and including `cycle`.
    mutating func advance(to cycle: UInt64, _ memory: inout MemoryMap) {
        while due <= cycle {
            let number = nextDue
            if dues[number] <= cycle {
                signals.now = max(signals.now, dues[number])
                advance(number, &memory)
                finish(number)
            } else {
                signals.now = max(signals.now, cycle)
                isBoardChanged = false
                settleBoard()
                schedule()
            }
            lead(&memory)
        }
    }

    private mutating func advance(_ number: Int, _ memory: inout MemoryMap) {
        if number == NRF52832.boardNumber {
            devices.advance(to: signals.now)
        } else {
            _ = perform(.advance, of: number, &memory)
        }
        switch number {
        case 0x03, 0x04, 0x23, NRF52832.boardNumber: settleBoard()
        case 0x10: if watchdog.resets { reset = .watchdog }
        case 0x1C, 0x21, 0x22: settlePins()
        case _: break
        }
    }

    private enum Access {
        case advance, read(UInt32), write(UInt32, to: UInt32)
    }

    /// Performs an access to the peripheral `number`. Returns the word for a read, and 0 for other accesses. Returns nil if the
    /// register or the written value is not modelled.
    private mutating func perform(_ access: Access, of number: Int, _ memory: inout MemoryMap) -> UInt32? {
        switch number {
        case 0x00: NRF52832.perform(access, &power, &memory, &signals)
        case 0x01: NRF52832.perform(access, &radio, &memory, &signals)
        case 0x02: NRF52832.perform(access, &serial, &memory, &signals)
        case 0x03: NRF52832.perform(access, &bus0, &memory, &signals, &devices)
        case 0x04: NRF52832.perform(access, &bus1, &memory, &signals, &devices)
        case 0x06: NRF52832.perform(access, &gpiote, &memory, &signals)
        case 0x07: NRF52832.perform(access, &converter, &memory, &signals, &devices)
        case 0x08: NRF52832.perform(access, &timer0, &memory, &signals)
        case 0x09: NRF52832.perform(access, &timer1, &memory, &signals)
        case 0x0A: NRF52832.perform(access, &timer2, &memory, &signals)
        case 0x0B: NRF52832.perform(access, &rtc0, &memory, &signals)
        case 0x0C: NRF52832.perform(access, &thermometer, &memory, &signals)
        case 0x0D: NRF52832.perform(access, &random, &memory, &signals)
        case 0x0E: NRF52832.perform(access, &blockCipher, &memory, &signals)
        case 0x0F: NRF52832.perform(access, &packetCipher, &memory, &signals)
        case 0x10: NRF52832.perform(access, &watchdog, &memory, &signals)
        case 0x11: NRF52832.perform(access, &rtc1, &memory, &signals)
        case 0x1A: NRF52832.perform(access, &timer3, &memory, &signals)
        case 0x1B: NRF52832.perform(access, &timer4, &memory, &signals)
        case 0x1C: NRF52832.perform(access, &pulses[0], &memory, &signals)
        case 0x1E: NRF52832.perform(access, &flash, &memory, &signals)
        case 0x1F: NRF52832.perform(access, &ppi, &memory, &signals)
        case 0x21: NRF52832.perform(access, &pulses[1], &memory, &signals)
        case 0x22: NRF52832.perform(access, &pulses[2], &memory, &signals)
        case 0x23: NRF52832.perform(access, &bus2, &memory, &signals, &devices)
        case 0x24: NRF52832.perform(access, &rtc2, &memory, &signals)
        case _: nil
        }
    }

    @inline(__always)
    private static func perform(
        _ access: Access, _ peripheral: inout some Peripheral, _ memory: inout MemoryMap, _ signals: inout Signals
    ) -> UInt32? {
        switch access {
        case .advance:
            peripheral.advance(&memory, &signals)
            return 0
        case .read(let offset): return peripheral.read(offset, &signals)
        case .write(let word, let offset): return peripheral.write(word, to: offset, &memory, &signals) ? 0 : nil
        }
    }

    @inline(__always)
    private static func perform(
        _ access: Access, _ peripheral: inout some BoardPeripheral, _ memory: inout MemoryMap,
        _ signals: inout Signals, _ board: inout BoardDevices
    ) -> UInt32? {
        guard case .advance = access else { return perform(access, &peripheral, &memory, &signals) }
        peripheral.advance(&memory, &signals, &board)
        return 0
    }

    /// The number of the board, which is scheduled like a peripheral. No peripheral has this number.
    private static let boardNumber = 0x27

    @inline(__always)
    private mutating func finish(_ number: Int) {
        let (next, isInterrupting) = state(of: number)
        let line: UInt64 = 1 &<< UInt64(number)
        interrupts = isInterrupting ? interrupts | line : interrupts & ~line
        guard next != dues[number] else { return }
        dues[number] = next
        schedule()
    }

    private mutating func schedule() {
        var (first, number) = (UInt64.max, 0)
        for index in 0..<40 where dues[index] < first { (first, number) = (dues[index], index) }
        nextDue = number
        due = isBoardChanged ? 0 : first
    }

    /// Returns when a peripheral or the board next acts, and whether its interrupt is asserted. Mutating, because the
    /// compiler would copy the whole chip to call a non-mutating one.
    private mutating func state(of number: Int) -> (due: UInt64, isInterrupting: Bool) {
        // In System OFF, only a pin has an effect.
        if power.isOff, number != NRF52832.boardNumber { return (.max, false) }
        return switch number {
        case 0x00: (power.due, power.isInterrupting)
        case 0x01: (radio.due, radio.isInterrupting)
        case 0x0E: (blockCipher.due, blockCipher.isInterrupting)
        case 0x0F: (packetCipher.due, packetCipher.isInterrupting)
        case 0x02: (serial.due, serial.isInterrupting)
        case 0x03: (bus0.due, bus0.isInterrupting)
        case 0x04: (bus1.due, bus1.isInterrupting)
        case 0x06: (.max, gpiote.isInterrupting)
        case 0x07: (converter.due, converter.isInterrupting)
        case 0x08: (timer0.due, timer0.isInterrupting)
        case 0x09: (timer1.due, timer1.isInterrupting)
        case 0x0A: (timer2.due, timer2.isInterrupting)
        case 0x0B: (rtc0.due, rtc0.isInterrupting)
        case 0x0C: (thermometer.due, thermometer.isInterrupting)
        case 0x0D: (random.due, random.isInterrupting)
        case 0x10: (watchdog.due, watchdog.isInterrupting)
        case 0x11: (rtc1.due, rtc1.isInterrupting)
        case 0x1A: (timer3.due, timer3.isInterrupting)
        case 0x1B: (timer4.due, timer4.isInterrupting)
        case 0x1C: (pulses[0].due, pulses[0].isInterrupting)
        case 0x21: (pulses[1].due, pulses[1].isInterrupting)
        case 0x22: (pulses[2].due, pulses[2].isInterrupting)
        case 0x23: (bus2.due, bus2.isInterrupting)
        case 0x24: (rtc2.due, rtc2.isInterrupting)
        case NRF52832.boardNumber: (devices.due, false)
        case _: (.max, false)
        }
    }

    // MARK: Events and pins

    /// Triggers the tasks that PPI's channels connect with the raised events. A triggered task may raise another event. The
    /// tasks of that event are triggered too.
    private mutating func lead(_ memory: inout MemoryMap) {
        if let address = signals.strayTransfer {
            signals.strayTransfer = nil
            note(.transfer, at: address)
        }
        guard !signals.raised.isEmpty else { return }
        var index = 0
        // A circle of channels ends here, after 256 events. On the real chip it would never end.
        while index < signals.raised.count, index < 256 {
            var channels = ppi.channels(of: signals.raised[index])
            while channels != 0 {
                let channel = channels.trailingZeroBitCount
                channels &= channels &- 1
                trigger(ppi.tasks[channel], &memory)
                trigger(ppi.forks[channel], &memory)
            }
            index += 1
        }
        signals.forgetRaised()
    }

    private mutating func trigger(_ task: UInt32, _ memory: inout MemoryMap) {
        let number = Int((task &- 0x4000_0000) &>> 12)
        guard number < 0x28, number != NRF52832.boardNumber else { return }
        _ = write(1, toOffset: task & 0xFFF, of: number, &memory)
        finish(number)
    }

    private mutating func settleBoard() {
        settlePins()
        finish(NRF52832.boardNumber)
    }

    /// Passes the chip's outputs to the board, and the levels of all pins to GPIO and GPIOTE.
    private mutating func settlePins() {
        let before = (gpio.outputs, gpio.outputLevels)
        gpio.owned = gpiote.owned
        for index in 0..<3 {
            gpio.owned.driven |= pulses[index].owned.driven
            gpio.owned.levels |= pulses[index].owned.levels
        }
        settleOutputs(since: before)
    }

    private mutating func settleOutputs(since before: (outputs: UInt32, levels: UInt32)) {
        let (outputs, levels) = (gpio.outputs, gpio.outputLevels)
        if before != (outputs, levels) {
            devices.outputsChanged(levels, outputs: outputs, at: signals.now)
            finish(NRF52832.boardNumber)
        }
        let edges = gpio.settle(devices.inputs)
        if edges.detects || edges.rising | edges.falling != 0 {
            gpiote.settle(edges, &signals)
            finish(0x06)
        }
        if power.isOff, gpio.wakes { reset = .wake }
        if let pin = flash.resetPin, edges.falling &>> pin & 1 != 0 { reset = .pin }
    }

    // MARK: Accesses

    /// Reads a register.
    ///
    /// - Parameter size: the number of bytes: 1, 2 or 4.
    /// - Returns: nil if the access is a bus fault, because nothing is at the address, or because `isStrict` is set and the
    ///   register is not modelled.
    mutating func read(_ address: UInt32, size: Int, at cycle: UInt64, _ memory: inout MemoryMap) -> UInt32? {
        if due <= cycle { advance(to: cycle, &memory) }
        signals.now = cycle
        let aligned = address & ~3
        guard let word = word(at: aligned, &memory) ?? absent(.read, at: aligned) else { return nil }
        return word &>> (8 &* (address & 3)) & (size == 4 ? .max : 1 &<< UInt32(8 &* size) &- 1)
    }

    private mutating func word(at address: UInt32, _ memory: inout MemoryMap) -> UInt32? {
        let number = Int((address &- 0x4000_0000) &>> 12)
        if number < 0x28 { return perform(.read(address & 0xFFF), of: number, &memory) }
        return switch address {
        case 0x5000_0000..<0x5000_1000: gpio.read(address & 0xFFF)
        case 0x1000_0000..<0x1000_1000: information.word(address & 0xFFF)
        case 0x1000_1000..<0x1000_2000: flash.userWord(address & 0xFFF)
        // The chip's number, variant and revision, from which the start-up code finds the errata that apply.
        case 0xF000_0FE0: 6
        case 0xF000_0FE4: 0
        case 0xF000_0FE8: 0x50
        case _: nil
        }
    }

    /// Writes a register, or a word of flash or UICR while NVMC allows it.
    ///
    /// - Returns: false if the access is a bus fault. That is the case if `size` is not 4, nothing is at the address, or NVMC
    ///   does not allow the write. If `isStrict` is set, it is also the case for a register that is not modelled.
    mutating func write(
        _ value: UInt32, to address: UInt32, size: Int, at cycle: UInt64, _ memory: inout MemoryMap
    ) -> Bool {
        if due <= cycle { advance(to: cycle, &memory) }
        signals.now = cycle
        // Registers and flash allow writes of whole words only.
        guard size == 4, address & 3 == 0 else { return false }
        let number = Int((address &- 0x4000_0000) &>> 12)
        if number < 0x28 {
            let isModelled = write(value, toOffset: address & 0xFFF, of: number, &memory)
            finish(number)
            lead(&memory)
            return isModelled || absent(.write, at: address) != nil
        }
        if address &- 0x5000_0000 < 0x1000 {
            let before = (gpio.outputs, gpio.outputLevels)
            guard gpio.write(value, to: address & 0xFFF) else { return absent(.write, at: address) != nil }
            settleOutputs(since: before)
            lead(&memory)
            return true
        }
        switch address {
        case 0x1000_1000..<0x1000_2000: return flash.programUser(value, at: address & 0xFFF, cycle)
        case 0x1000_0000..<0x1000_1000: return false
        case _: return flash.program(value, at: address, cycle, &memory) || absent(.write, at: address) != nil
        }
    }

    private mutating func write(
        _ word: UInt32, toOffset offset: UInt32, of number: Int, _ memory: inout MemoryMap
    ) -> Bool {
        let hadClock = power.hasLowFrequency
        let isModelled = perform(.write(word, to: offset), of: number, &memory) != nil
        switch number {
        case 0x00: settlePower(hadClock: hadClock)
        case 0x06, 0x1C, 0x21, 0x22: settlePins()
        case _: break
        }
        return isModelled
    }

    private mutating func settlePower(hadClock: Bool) {
        if power.hasLowFrequency != hadClock {
            rtc0.setClock(!hadClock, at: signals.now)
            rtc1.setClock(!hadClock, at: signals.now)
            rtc2.setClock(!hadClock, at: signals.now)
            for number in [0x0B, 0x11, 0x24] { finish(number) }
        }
        if power.isOff {
            for number in 0..<NRF52832.boardNumber { finish(number) }
            if gpio.wakes { reset = .wake }
        }
    }

    // MARK: What is not modelled

    /// Handles an access to an address that is not modelled. Returns nil if the access is a bus fault, otherwise 0. Records
    /// each access to a peripheral's address, except to the undocumented registers that `RegisterNames` lists.
    private mutating func absent(_ kind: UnmodelledAccess.Kind, at address: UInt32) -> UInt32? {
        guard RegisterNames.isOnBus(address) else { return nil }
        if RegisterNames.isStub(address) { return 0 }
        note(kind, at: address)
        return isStrict ? nil : 0
    }

    private mutating func note(_ kind: UnmodelledAccess.Kind, at address: UInt32) {
        guard !unmodelled.contains(where: { $0.address == address && $0.kind == kind }) else { return }
        let counter = signals.programCounter
        unmodelled.append(UnmodelledAccess(address: address, kind: kind, cycle: signals.now, programCounter: counter))
    }
}
