/// UARTE0. Its line is a queue of bytes in each direction.
///
/// Source: nRF52832 Product Specification v1.4, chapter 35 (UARTE).
struct Serial: Peripheral {
    private enum Event {
        static let receivedByte = 2
        static let endReceive = 4
        static let sentByte = 7
        static let endSend = 8
        static let error = 9
        static let receiveStopped = 17
        static let receiveStarted = 19
        static let sendStarted = 20
        static let sendStopped = 22
    }

    private enum Sender: Sendable {
        case idle
        case sending(TransferBuffer, done: Int, end: UInt64)
        /// The task STOPTX was triggered. The byte that is on the line is the last one.
        case stopping(done: Int, byte: UInt8, end: UInt64)
    }

    private enum Receiver: Sendable {
        case idle
        case receiving(TransferBuffer, done: Int)
        /// The task STOPRX was triggered. Until the event RXTO at `end`, bytes that arrive go into the FIFO.
        case stopping(end: UInt64)
    }

    private static let queueLength = 4
    private var events = EventRegisters(base: 0x4000_2000)
    private var registers: InlineArray<4, UInt32> = .init(repeating: .max)
    private var isEnabled = false
    private var baudRate: UInt32 = 0x0400_0000
    private var configuration: UInt32 = 0
    private var errors: UInt32 = 0
    private var received = TransferBuffer()
    private var sent = TransferBuffer()
    private var sender = Sender.idle
    private var receiver = Receiver.idle
    /// The FIFO: bytes that arrived while the program offered no buffer for them.
    private var queue: [UInt8] = []
    private var line: ArraySlice<UInt8> = []
    /// The cycle at which the first byte of `line` will have arrived. `.max` if `line` is empty, or while flow control holds
    /// the byte back.
    private var arrival = UInt64.max
    private var output: [UInt8] = []
    var isInterrupting: Bool { events.isInterrupting }

    var isSending: Bool {
        switch sender {
        case .idle: false
        case .sending, .stopping: true
        }
    }

    /// BAUDRATE is the rate * 2^32 / 16 MHz. A byte has a start bit, 8 data bits, a parity bit if CONFIG includes parity, and a
    /// stop bit.
    private var cyclesPerByte: UInt64 {
        let bits: UInt64 = 10 &+ (configuration & 0xE != 0 ? 1 : 0)
        return bits &* (1 &<< 34) / UInt64(max(baudRate, 1))
    }

    mutating func takeSent() -> [UInt8] {
        defer { output.removeAll(keepingCapacity: true) }
        return output
    }

    /// Queues bytes that the other end of the line sends. Sending begins at `cycle`, or after the bytes that are already in the
    /// queue.
    mutating func receive(_ bytes: some Sequence<UInt8>, at cycle: UInt64) {
        line.append(contentsOf: bytes)
        listen(cycle)
    }

    mutating func keepLine(of former: Serial) {
        (line, arrival, output) = (former.line, former.arrival, former.output)
    }

    var due: UInt64 {
        var next = arrival
        switch sender {
        case .idle: break
        case .sending(_, _, let end), .stopping(_, _, let end): next = min(next, end)
        }
        if case .stopping(let end) = receiver { next = min(next, end) }
        return next
    }

    /// Schedules the arrival of the next byte, unless flow control holds the byte back.
    private mutating func listen(_ cycle: UInt64) {
        guard arrival == .max, !line.isEmpty else { return }
        // With flow control, RTS is inactive while the program offers no buffer.
        if configuration & 1 != 0 { guard case .receiving = receiver else { return } }
        arrival = cycle &+ cyclesPerByte
    }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {
        let now = signals.now
        if case .stopping(let end) = receiver, end <= now {
            receiver = .idle
            events.raise(Event.receiveStopped, &signals)
        }
        if arrival <= now, let byte = line.popFirst() {
            arrival = .max
            arrive(byte, &memory, &signals)
            listen(now)
        }
        switch sender {
        case .sending(let buffer, let done, let end) where end <= now:
            output += memory.transfer(from: buffer.pointer &+ UInt32(done), count: 1, &signals)
            events.raise(Event.sentByte, &signals)
            send(buffer, done: done + 1, &signals)
        case .stopping(let done, let byte, let end) where end <= now:
            output.append(byte)
            sent.amount = done + 1
            sender = .idle
            events.raise(Event.sentByte, &signals)
            events.raise(Event.sendStopped, &signals)
        case .idle, .sending, .stopping: break
        }
    }

    private mutating func send(_ buffer: TransferBuffer, done: Int, _ signals: inout Signals) {
        guard done == buffer.limit else {
            sender = .sending(buffer, done: done, end: signals.now &+ cyclesPerByte)
            return
        }
        sender = .idle
        sent.finish(done)
        events.raise(Event.endSend, &signals)
    }

    private mutating func arrive(_ byte: UInt8, _ memory: inout MemoryMap, _ signals: inout Signals) {
        guard isEnabled else { return }
        switch receiver {
        case .receiving(let buffer, let done):
            if done < buffer.limit { memory.transfer([byte], to: buffer.pointer &+ UInt32(done), &signals) }
            events.raise(Event.receivedByte, &signals)
            received.amount = done + 1
            guard done + 1 >= buffer.limit else {
                receiver = .receiving(buffer, done: done + 1)
                return
            }
            receiver = .idle
            received.finish(done + 1)
            events.raise(Event.endReceive, &signals)
            if events.hasShortcut(5) { startReceiving(&memory, &signals) }
            if events.hasShortcut(6) { stopReceiving(&signals) }
        case .idle, .stopping:
            guard queue.count < Serial.queueLength else {
                // OVERRUN in ERRORSRC.
                errors |= 1
                return events.raise(Event.error, &signals)
            }
            queue.append(byte)
            events.raise(Event.receivedByte, &signals)
        }
    }

    private mutating func startReceiving(_ memory: inout MemoryMap, _ signals: inout Signals) {
        receiver = .receiving(received, done: 0)
        received.amount = 0
        events.raise(Event.receiveStarted, &signals)
        let bytes = queue
        queue = []
        for byte in bytes { arrive(byte, &memory, &signals) }
        listen(signals.now)
    }

    private mutating func stopReceiving(_ signals: inout Signals) {
        if case .receiving = receiver { events.raise(Event.endReceive, &signals) }
        // The event RXTO comes when the FIFO's four bytes would have arrived.
        receiver = .stopping(end: signals.now &+ UInt64(Serial.queueLength) &* cyclesPerByte)
    }

    private mutating func flush(_ memory: inout MemoryMap, _ signals: inout Signals) {
        let bytes = Array(queue.prefix(received.limit))
        queue.removeFirst(bytes.count)
        memory.transfer(bytes, to: received.pointer, &signals)
        received.finish(bytes.count)
        events.raise(Event.endReceive, &signals)
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x000..<0x030: 0
        case 0x480: errors
        case 0x500: isEnabled ? 8 : 0
        case 0x508..<0x518: registers[Int((offset &- 0x508) / 4)]
        case 0x524: baudRate
        case 0x534..<0x540: received.read(offset &- 0x534)
        case 0x544..<0x550: sent.read(offset &- 0x544)
        case 0x56C: configuration
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        switch offset {
        case 0x000..<0x030: if word & 1 != 0, isEnabled { perform(offset, &memory, &signals) }
        case 0x480: errors &= ~word
        case 0x500:
            isEnabled = word == 8
            if !isEnabled { (sender, receiver, queue) = (.idle, .idle, []) }
            // UART without EasyDMA is not modelled.
            return word == 8 || word == 0
        case 0x508..<0x518: registers[Int((offset &- 0x508) / 4)] = word
        case 0x524: baudRate = word
        case 0x534..<0x540: return received.write(word, to: offset &- 0x534)
        case 0x544..<0x550: return sent.write(word, to: offset &- 0x544)
        case 0x56C: configuration = word & 0xF
        case _: return events.write(word, to: offset)
        }
        return true
    }

    private mutating func perform(_ task: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) {
        switch (task, sender) {
        case (0x000, _): startReceiving(&memory, &signals)
        case (0x004, _): stopReceiving(&signals)
        case (0x008, .idle):
            events.raise(Event.sendStarted, &signals)
            send(sent, done: 0, &signals)
        case (0x00C, .sending(let buffer, let done, let end)):
            let byte = memory.transfer(from: buffer.pointer &+ UInt32(done), count: 1, &signals)[0]
            sender = .stopping(done: done, byte: byte, end: end)
        case (0x00C, .idle): events.raise(Event.sendStopped, &signals)
        case (0x02C, _): flush(&memory, &signals)
        case _: break
        }
    }
}
