/// RADIO, and the air around its antenna. Base 0x40001000.
struct Radio: Peripheral {
    private var events = EventRegisters(base: 0x4000_1000)
    var due: UInt64 { .max }
    var isInterrupting: Bool { events.isInterrupting }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {}
    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? { events.read(offset) }
    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool {
        events.write(word, to: offset)
    }
}
