/// A SPIM and a TWIM at the same base address. They share their registers, and ENABLE selects one of them.
///
/// Source: nRF52832 Product Specification v1.4, chapters 31 (SPIM) and 33 (TWIM).
struct BusMaster: BoardPeripheral {
    /// The numbers of the events: (offset of the event's register - 0x100) / 4.
    enum Event {
        static let stopped = 1
        static let endReceive = 4
        static let end = 6
        static let endSend = 8
        static let error = 9
        static let suspended = 18
        /// SPIM's STARTED, TWIM's RXSTARTED.
        static let started = 19
        static let sendStarted = 20
        static let lastReceive = 23
        static let lastSend = 24
    }

    enum Mode: Sendable {
        case off
        case spi(SPITransfer)
        case twi(TWITransfer)
    }

    private(set) var pins: InlineArray<3, UInt32> = .init(repeating: .max)
    private var configuration: UInt32 = 0
    private var frequency: UInt32 = 0x0400_0000
    private(set) var overRead: UInt8 = 0
    private(set) var address: UInt8 = 0
    private var isEnabled: UInt32 = 0
    var errors: UInt32 = 0
    var events: EventRegisters
    var received = TransferBuffer()
    var sent = TransferBuffer()
    private(set) var mode = Mode.off
    private let hasTWI: Bool

    /// - Parameter hasTWI: false for SPIM2, because no TWIM has its base address.
    init(base: UInt32, hasTWI: Bool) {
        events = EventRegisters(base: base)
        self.hasTWI = hasTWI
    }

    var isInterrupting: Bool { events.isInterrupting }
    var due: UInt64 {
        switch mode {
        case .off: .max
        case .spi(let transfer): transfer.due
        case .twi(let transfer): transfer.due
        }
    }

    /// The core's cycles for one byte on SPI. FREQUENCY is proportional to the rate: 0x80000000 stands for 8 MHz.
    var cyclesPerSPIByte: UInt64 { (8 &* 64 &* (1 &<< 31) / 8) / UInt64(max(frequency, 0x0100_0000)) }

    /// The core's cycles for one bit on I2C. FREQUENCY stands for 100, 250 or 400 kHz.
    var cyclesPerTWIBit: UInt64 {
        switch frequency {
        case 0x0198_0000: 640
        case 0x0400_0000: 256
        case _: 160
        }
    }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals, _ board: inout BoardDevices) {
        switch mode {
        case .off: break
        case .spi(var transfer):
            transfer.advance(&self, &memory, &signals, &board)
            mode = .spi(transfer)
        case .twi(var transfer):
            transfer.advance(&self, &memory, &signals, &board)
            mode = .twi(transfer)
        }
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x4C4: errors
        case 0x500: isEnabled
        case 0x508, 0x50C, 0x510: pins[Int((offset &- 0x508) / 4)]
        case 0x524: frequency
        case 0x534..<0x544: received.read(offset &- 0x534)
        case 0x544..<0x554: sent.read(offset &- 0x544)
        case 0x554: configuration
        case 0x588: UInt32(address)
        case 0x5C0: UInt32(overRead)
        // Tasks read as 0.
        case 0x000..<0x024: 0
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        switch offset {
        case 0x000..<0x024: if word & 1 != 0 { perform(offset, &signals) }
        case 0x4C4: errors &= ~word
        case 0x500: return enable(word & 15)
        case 0x508, 0x50C, 0x510: pins[Int((offset &- 0x508) / 4)] = word
        case 0x524: frequency = word
        case 0x534..<0x544: return received.write(word, to: offset &- 0x534)
        case 0x544..<0x554: return sent.write(word, to: offset &- 0x544)
        case 0x554: configuration = word & 7
        case 0x588: address = UInt8(word & 0x7F)
        case 0x5C0: overRead = UInt8(truncatingIfNeeded: word)
        case _: return events.write(word, to: offset)
        }
        return true
    }

    /// Selects the mode. Returns false for a mode that is not modelled: SPI and TWI without EasyDMA, SPIS and TWIS.
    private mutating func enable(_ word: UInt32) -> Bool {
        isEnabled = word
        switch (word, mode) {
        case (6, .twi), (7, .spi): break
        case (6, _) where hasTWI: mode = .twi(TWITransfer())
        case (7, _): mode = .spi(SPITransfer())
        case (0, _): mode = .off
        case _:
            mode = .off
            return false
        }
        return true
    }

    private mutating func perform(_ task: UInt32, _ signals: inout Signals) {
        switch mode {
        case .off: break
        case .spi(var transfer):
            transfer.perform(task, &self, &signals)
            mode = .spi(transfer)
        case .twi(var transfer):
            transfer.perform(task, &self, &signals)
            mode = .twi(transfer)
        }
    }
}

/// A transfer of an SPI master. Here, the master and the device exchange all bytes at once, when the transfer ends.
struct SPITransfer: Sendable {
    private struct Bytes: Sendable {
        var start: UInt64
        var count: Int
        var received: TransferBuffer
        var sent: TransferBuffer
    }

    private enum State: Sendable {
        case idle
        case running(Bytes, end: UInt64)
        /// The task STOP was triggered. The transfer ends after the byte that is on the bus.
        case stopping(Bytes, end: UInt64)
        case suspended(Bytes, left: UInt64)
    }

    /// The cycles from the task START to the first clock pulse. This is a typical value.
    static let startTime = UInt64.microseconds(1)
    private var state = State.idle

    var due: UInt64 {
        switch state {
        case .idle, .suspended: .max
        case .running(_, let end), .stopping(_, let end): end
        }
    }

    mutating func perform(_ task: UInt32, _ bus: inout BusMaster, _ signals: inout Signals) {
        let now = signals.now
        let byte = bus.cyclesPerSPIByte
        switch (task, state) {
        case (0x010, .idle): start(&bus, &signals, isFirst: true)
        case (0x014, .running(var bytes, _)):
            let elapsed = now &- min(now, bytes.start)
            bytes.count = min(bytes.count, Int((elapsed &+ byte &- 1) / byte))
            state = .stopping(bytes, end: max(now, bytes.start &+ UInt64(bytes.count) &* byte))
        case (0x014, .suspended(var bytes, let left)):
            bytes.count -= min(bytes.count, Int((left &+ byte &- 1) / byte))
            state = .stopping(bytes, end: now)
        case (0x014, .idle): bus.events.raise(BusMaster.Event.stopped, &signals)
        case (0x01C, .running(let bytes, let end)): state = .suspended(bytes, left: end &- now)
        case (0x020, .suspended(var bytes, let left)):
            bytes.start = now &+ left &- UInt64(bytes.count) &* byte
            state = .running(bytes, end: now &+ left)
        case _: break
        }
    }

    private mutating func start(_ bus: inout BusMaster, _ signals: inout Signals, isFirst: Bool) {
        let count = max(bus.received.limit, bus.sent.limit)
        let start = signals.now &+ (isFirst ? SPITransfer.startTime : 0)
        let bytes = Bytes(start: start, count: count, received: bus.received, sent: bus.sent)
        state = .running(bytes, end: start &+ UInt64(max(count, isFirst ? 0 : 1)) &* bus.cyclesPerSPIByte)
        bus.events.raise(BusMaster.Event.started, &signals)
    }

    mutating func advance(
        _ bus: inout BusMaster, _ memory: inout MemoryMap, _ signals: inout Signals, _ board: inout BoardDevices
    ) {
        switch state {
        case .idle, .suspended: break
        case .running(let bytes, _):
            finish(bytes, &bus, &memory, &signals, &board)
            // With the shortcut END_START, the next transfer follows without a pause.
            if bus.events.hasShortcut(17) { start(&bus, &signals, isFirst: false) }
        case .stopping(let bytes, _):
            finish(bytes, &bus, &memory, &signals, &board)
            bus.events.raise(BusMaster.Event.stopped, &signals)
        }
    }

    private mutating func finish(
        _ bytes: Bytes, _ bus: inout BusMaster, _ memory: inout MemoryMap, _ signals: inout Signals,
        _ board: inout BoardDevices
    ) {
        state = .idle
        signals.note(.spi, since: bytes.start)
        let sentCount = min(bytes.sent.limit, bytes.count)
        var data = memory.transfer(from: bytes.sent.pointer, count: sentCount, &signals)
        for _ in sentCount..<bytes.count { data.append(bus.overRead) }
        if !data.isEmpty {
            let answer = board.exchange(data, at: bytes.start, cyclesPerByte: bus.cyclesPerSPIByte)
            memory.transfer(Array(answer.prefix(bytes.received.limit)), to: bytes.received.pointer, &signals)
        }
        bus.sent.finish(sentCount)
        bus.received.finish(min(bytes.received.limit, bytes.count))
        bus.events.raise(BusMaster.Event.endReceive, &signals)
        bus.events.raise(BusMaster.Event.endSend, &signals)
        bus.events.raise(BusMaster.Event.end, &signals)
    }
}
