import Testing

@testable import CortexM

/// What flash costs: wait states, and the cache that saves them.
struct FlashTimingTests {
    @Test func `without wait states nothing is waited for`() {
        var fetch = InstructionFetch(.immediate)
        for address in stride(from: UInt32(0), to: 4_096, by: 2) { fetch.fetch(address) }
        fetch.read()
        #expect(fetch.waited == 0)
    }

    @Test func `without a cache each line of 16 bytes is waited for whenever the program comes to it`() {
        var fetch = InstructionFetch(FlashTiming(waitStates: 3, cache: nil))
        for address in [0, 2, 14, 16, 0, 4] as [UInt32] { fetch.fetch(address) }
        #expect(fetch.waited == 9)
    }

    @Test func `a cache waits once for a line, until two others of its set have pushed it out`() {
        var fetch = InstructionFetch(
            FlashTiming(waitStates: 2, cache: FlashTiming.Cache(bytes: 64, lineBytes: 16)))
        // Two sets of two lines: 0, 32, 64 and 96 are of one set.
        for address in [0, 32, 0, 32, 16, 0] as [UInt32] { fetch.fetch(address) }
        #expect(fetch.waited == 6)
        fetch.fetch(64)
        #expect(fetch.waited == 8)
        // 32 was not used last: it has made room.
        fetch.fetch(0)
        #expect(fetch.waited == 8)
        fetch.fetch(32)
        #expect(fetch.waited == 10)
    }

    @Test func `data in flash is waited for, data in RAM is not`() throws {
        // LDR r0, [r1] at address 0 and 2.
        let flash: [UInt8] = [0x08, 0x68, 0x08, 0x68]
        var processor = CortexM4(
            memory: MemoryMap(flash: flash, ramSize: 16), entry: 1, stack: 0x2000_0010,
            timing: CoreTiming.cortexM4.with(FlashTiming(waitStates: 3, cache: nil)))
        processor.registers[1] = 0
        try processor.step()
        // Three for the line, two for the load, three for the data.
        #expect(processor.cycles == 8)
        processor.registers[1] = 0x2000_0000
        try processor.step()
        #expect(processor.cycles == 9)
    }
}
