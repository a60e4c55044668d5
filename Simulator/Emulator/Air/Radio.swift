/// The peripheral RADIO, with the simulated air that carries its packets. Base address 0x40001000 (nRF52832 Product
/// Specification v1.4, chapter 23, RADIO).
///
/// The model computes no CRC and no whitening. A received packet's CRC is right if sender and receiver have the same settings
/// for CRC, whitening and packet layout.
struct Radio: Peripheral {
    private enum Event {
        static let ready = 0, address = 1, payload = 2, end = 3, disabled = 4, deviceMatch = 5, deviceMiss = 6
        static let strengthEnd = 7, bitCounterMatch = 10, crcOK = 12, crcError = 13
    }

    private enum Shortcut {
        static let readyStart = 0, endDisable = 1, disabledSend = 2, disabledReceive = 3, addressStrength = 4
        static let endStart = 5, addressBitCounter = 6, disabledStrengthStop = 8
    }

    private enum Direction: Equatable {
        case receives, sends
    }

    /// The sections of a packet, in the order in which they are sent. At the end of each section, the radio acts.
    private enum Section {
        case address, header, payload, check
    }

    /// A packet that the radio sends or receives.
    private struct Exchange {
        var packet: AirPacket
        let layout: PacketLayout
        /// The value of PACKETPTR when the task START was triggered.
        let pointer: UInt32
        var section = Section.address
        /// How many bytes of a received packet are in memory.
        var stored = 0

        var airTime: UInt64 {
            switch section {
            case .address: packet.addressEnd
            case .header: packet.headerEnd
            case .payload: packet.payloadEnd
            case .check: packet.end
            }
        }
    }

    private enum State {
        case disabled
        case rampsUp(Direction, until: UInt64)
        case idle(Direction)
        case sends(Exchange)
        case listens(since: UInt64, PacketLayout, pointer: UInt32)
        case receives(Exchange)
        case disables(Direction, until: UInt64)
    }

    var air = Air() {
        didSet { updateDue() }
    }
    private(set) var due: UInt64 = .max
    private var events = EventRegisters(base: 0x4000_1000)
    private var settings = RadioSettings()
    private var state = State.disabled
    /// The cycle at which the radio was last switched on; nil while it is off.
    private var onSince: UInt64?
    /// The cycle at which the radio's last packet, sent or received, ended on the air. TIFS counts from this cycle.
    private var lastEnd: UInt64 = 0
    /// When the bit counter started; nil if it is stopped.
    private var bitCounter: UInt64?
    private var bitCounterDue: UInt64 = .max
    private var deviceDue: UInt64 = .max
    private var strengthDue: UInt64 = .max
    private var isCRCRight = false
    private var matchedAddress: UInt32 = 0
    private var matchedDevice: UInt32 = 0
    private var strength: UInt32 = 0x7F

    var isInterrupting: Bool { events.isInterrupting }

    private mutating func updateDue() { due = min(stateDue, bitCounterDue, deviceDue, strengthDue, air.due) }

    private var stateDue: UInt64 {
        switch state {
        case .disabled, .idle: .max
        case .rampsUp(_, let until), .disables(_, let until): until
        case .sends(let exchange): exchange.airTime - settings.sendDelay
        case .listens(let since, let layout, _):
            (heard(since, layout)?.addressEnd).map { $0 + settings.receiveDelay } ?? .max
        case .receives(let exchange): exchange.airTime + settings.receiveDelay
        }
    }

    private func heard(_ since: UInt64, _ layout: PacketLayout) -> AirPacket? {
        air.packet(since: since) { layout.hears($0) && settings.logicalAddress(of: $0) != nil }
    }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {
        while due <= signals.now {
            let time = due
            if time == stateDue {
                advanceState(time, &memory, &signals)
            } else if time == air.due {
                air.advance(to: time)
            } else {
                advanceCounters(time, &memory, &signals)
            }
            updateDue()
        }
    }

    private mutating func advanceCounters(_ time: UInt64, _ memory: inout MemoryMap, _ signals: inout Signals) {
        store(upTo: time, &memory)
        if time == bitCounterDue {
            bitCounterDue = .max
            events.raise(Event.bitCounterMatch, &signals)
        }
        if time == deviceDue, case .receives(let exchange) = state {
            deviceDue = .max
            matchedDevice = settings.matchedDevice(exchange.packet) ?? matchedDevice
            let isMatch = settings.matchedDevice(exchange.packet) != nil
            events.raise(isMatch ? Event.deviceMatch : Event.deviceMiss, &signals)
        }
        if time == strengthDue {
            strengthDue = .max
            strength = UInt32(clamping: -air.strength)
            events.raise(Event.strengthEnd, &signals)
        }
    }

    private mutating func advanceState(_ time: UInt64, _ memory: inout MemoryMap, _ signals: inout Signals) {
        switch state {
        case .disabled, .idle: break
        case .rampsUp(let direction, _):
            state = .idle(direction)
            events.raise(Event.ready, &signals)
            if events.hasShortcut(Shortcut.readyStart) { start(time) }
        case .disables: becomeDisabled(time, &signals)
        case .sends(var exchange): send(&exchange, time, &memory, &signals)
        case .listens(let since, let layout, let pointer):
            guard let packet = heard(since, layout) else { return }
            state = .receives(Exchange(packet: packet, layout: layout, pointer: pointer, section: .header))
            matchedAddress = settings.logicalAddress(of: packet) ?? 0
            if settings.matchesDevices { deviceDue = time + 64 * packet.mode.bitCycles }
            foundAddress(time, &signals)
        case .receives(var exchange): receive(&exchange, time, &memory, &signals)
        }
    }

    private mutating func foundAddress(_ time: UInt64, _ signals: inout Signals) {
        events.raise(Event.address, &signals)
        if events.hasShortcut(Shortcut.addressStrength) { startStrength(time) }
        if events.hasShortcut(Shortcut.addressBitCounter) { startBitCounter(time) }
    }

    private mutating func send(
        _ exchange: inout Exchange, _ time: UInt64, _ memory: inout MemoryMap, _ signals: inout Signals
    ) {
        switch exchange.section {
        case .address:
            exchange.section = .header
            state = .sends(exchange)
            foundAddress(time, &signals)
            air.began(exchange.packet)
        case .header:
            exchange.layout.readHeader(of: &exchange.packet, at: exchange.pointer, memory)
            exchange.section = .payload
            state = .sends(exchange)
        case .payload:
            let address = exchange.pointer &+ UInt32(exchange.layout.headerBytes)
            let payload = memory.dmaBytes(at: address, count: exchange.packet.payload.count)
            exchange.packet.payload = payload ?? exchange.packet.payload
            exchange.section = .check
            state = .sends(exchange)
            events.raise(Event.payload, &signals)
        case .check:
            air.ended(exchange.packet, isWhole: true)
            end(exchange.packet, .sends, time, &signals)
        }
    }

    private mutating func receive(
        _ exchange: inout Exchange, _ time: UInt64, _ memory: inout MemoryMap, _ signals: inout Signals
    ) {
        store(upTo: time, &memory)
        guard case .receives(let stored) = state else { return }
        exchange = stored
        switch exchange.section {
        case .address, .header:
            exchange.section = .payload
            state = .receives(exchange)
        case .payload:
            exchange.section = .check
            state = .receives(exchange)
            events.raise(Event.payload, &signals)
        case .check:
            isCRCRight = exchange.layout.findsCRCRight(exchange.packet)
            events.raise(isCRCRight ? Event.crcOK : Event.crcError, &signals)
            end(exchange.packet, .receives, time, &signals)
        }
    }

    private mutating func store(upTo time: UInt64, _ memory: inout MemoryMap) {
        guard case .receives(var exchange) = state else { return }
        let start = exchange.packet.addressEnd + settings.receiveDelay
        let image = exchange.layout.image(of: exchange.packet, bits: (time - start) / exchange.packet.mode.bitCycles)
        guard image.count > exchange.stored else { return }
        _ = memory.write(image[exchange.stored...], at: exchange.pointer &+ UInt32(exchange.stored))
        exchange.stored = image.count
        state = .receives(exchange)
    }

    private mutating func end(
        _ packet: AirPacket, _ direction: Direction, _ time: UInt64, _ signals: inout Signals
    ) {
        state = .idle(direction)
        lastEnd = packet.end
        (bitCounter, bitCounterDue, deviceDue) = (nil, .max, .max)
        events.raise(Event.end, &signals)
        if events.hasShortcut(Shortcut.endDisable) {
            disable(time, &signals)
        } else if events.hasShortcut(Shortcut.endStart) {
            start(time)
        }
    }

    private mutating func becomeDisabled(_ time: UInt64, _ signals: inout Signals) {
        state = .disabled
        if let onSince { signals.note(.radio, since: onSince) }
        onSince = nil
        events.raise(Event.disabled, &signals)
        if events.hasShortcut(Shortcut.disabledStrengthStop) { strengthDue = .max }
        let spaces = events.hasShortcut(Shortcut.readyStart) && events.hasShortcut(Shortcut.endDisable)
        if events.hasShortcut(Shortcut.disabledSend) {
            enable(.sends, time, spaces: spaces)
        } else if events.hasShortcut(Shortcut.disabledReceive) {
            enable(.receives, time, spaces: spaces)
        }
    }

    // MARK: Tasks

    /// - Parameter spaces: whether the radio extends its ramp-up, so that at least TIFS separates the packets (section 23.11).
    /// It never extends a fast ramp-up.
    private mutating func enable(_ direction: Direction, _ time: UInt64, spaces: Bool = false) {
        guard case .disabled = state else { return }
        var until = time + settings.rampUp
        if spaces && settings.space > 0 && !settings.isFast {
            until = max(until, lastEnd + settings.space - settings.sendDelay)
        }
        state = .rampsUp(direction, until: until)
        onSince = time
    }

    private mutating func start(_ time: UInt64) {
        guard case .idle(let direction) = state, let layout = settings.layout else { return }
        switch direction {
        case .sends:
            let packet = layout.emptyPacket(to: settings.sendAddress, start: time + settings.sendDelay)
            state = .sends(Exchange(packet: packet, layout: layout, pointer: settings.packetPointer))
        case .receives: state = .listens(since: time, layout, pointer: settings.packetPointer)
        }
    }

    private mutating func stop() {
        switch state {
        case .disabled, .rampsUp, .idle, .disables: return
        case .sends(let exchange):
            air.ended(exchange.packet, isWhole: false)
            state = .idle(.sends)
        case .listens, .receives: state = .idle(.receives)
        }
        (bitCounter, bitCounterDue, deviceDue) = (nil, .max, .max)
    }

    private mutating func disable(_ time: UInt64, _ signals: inout Signals) {
        stop()
        switch state {
        case .rampsUp(.sends, _), .idle(.sends): state = .disables(.sends, until: time + settings.sendDisable)
        // A receiver is disabled at once. A disabled radio raises the event again.
        case .disabled, .rampsUp(.receives, _), .idle(.receives), .listens, .receives, .sends:
            becomeDisabled(time, &signals)
        case .disables: break
        }
    }

    /// Performs the task RSSISTART: a receiving radio samples the signal strength once, which typically takes 0.25 us (section
    /// 23.10).
    private mutating func startStrength(_ time: UInt64) {
        switch state {
        case .listens, .receives: strengthDue = time + 16
        case .disabled, .rampsUp, .idle, .sends, .disables: break
        }
    }

    private mutating func startBitCounter(_ time: UInt64) {
        bitCounter = time
        setBitCounterDue(time)
    }

    private mutating func setBitCounterDue(_ time: UInt64) {
        guard let bitCounter, let mode = settings.mode else { return }
        let match = bitCounter + UInt64(settings[.bitCounterCompare]) * mode.bitCycles
        bitCounterDue = match > time ? match : .max
    }

    private mutating func perform(_ task: UInt32, _ signals: inout Signals) -> Bool {
        let time = signals.now
        switch task {
        case 0x000: enable(.sends, time)
        case 0x004: enable(.receives, time)
        case 0x008: start(time)
        case 0x00C: stop()
        case 0x010: disable(time, &signals)
        case 0x014: startStrength(time)
        case 0x018: strengthDue = .max
        case 0x01C: startBitCounter(time)
        case 0x020: (bitCounter, bitCounterDue) = (nil, .max)
        case _: return false
        }
        return true
    }

    // MARK: Registers

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x000...0x020: 0
        case 0x400: isCRCRight ? 1 : 0
        case 0x408: matchedAddress
        case 0x410: matchedDevice
        case 0x548: strength
        case 0x550: stateNumber
        case _: events.read(offset) ?? settings.read(offset)
        }
    }

    private var stateNumber: UInt32 {
        switch state {
        case .disabled: 0
        case .rampsUp(.receives, _): 1
        case .idle(.receives): 2
        case .listens, .receives: 3
        case .disables(.receives, _): 4
        case .rampsUp(.sends, _): 9
        case .idle(.sends): 10
        case .sends: 11
        case .disables(.sends, _): 12
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        defer { updateDue() }
        if offset < 0x080 { return word & 1 == 0 || perform(offset, &signals) }
        if events.write(word, to: offset) { return true }
        guard settings.write(word, to: offset) else { return false }
        switch offset {
        case RadioRegister.bitCounterCompare.rawValue: setBitCounterDue(signals.now)
        // POWER resets the peripheral.
        case 0xFFC where word & 1 == 0: restart()
        case _: break
        }
        return true
    }

    /// Resets the registers, as a reset of the chip does. The air and the other radios continue.
    mutating func restart() {
        stop()
        let kept = air
        self = Radio()
        air = kept
    }
}

extension MemoryMap {
    /// Returns the bytes that EasyDMA reads. Nil if not all of them are in RAM.
    func dmaBytes(at address: UInt32, count: Int) -> [UInt8]? {
        address >= MemoryMap.ramStart ? bytes(at: address, count: count).map(Array.init) : nil
    }
}
