import Testing

@testable import Emulator

/// An nRF52832 with its core and peripherals, and a program given as halfwords.
///
/// The program begins at 0x200. The handler of exception n begins at 0x400 + 0x40 n. Register 4 holds 0xE000_E000, the
/// base of the core's system registers. Register 5 holds 0x2000_0100, an address in RAM.
struct CoreBench {
    static let main: UInt32 = 0x200
    static let stack: UInt32 = 0x2000_0400
    var core: CortexM4

    static func handler(_ number: Int) -> UInt32 { 0x400 + 0x40 * UInt32(number) }

    init(_ main: [UInt16], handlers: [Int: [UInt16]] = [:], timing: CoreTiming = .cortexM4) {
        var flash = [UInt8](repeating: 0, count: 0x2000)
        func put(_ code: [UInt16], at address: UInt32) {
            for (place, halfword) in code.enumerated() {
                flash[Int(address) + 2 * place] = UInt8(truncatingIfNeeded: halfword)
                flash[Int(address) + 2 * place + 1] = UInt8(halfword >> 8)
            }
        }
        func put(word: UInt32, at address: UInt32) {
            put([UInt16(truncatingIfNeeded: word), UInt16(word >> 16)], at: address)
        }
        put(word: CoreBench.stack, at: 0)
        put(word: CoreBench.main | 1, at: 4)
        put(main, at: CoreBench.main)
        for number in 2..<55 { put(word: CoreBench.handler(number) | 1, at: 4 * UInt32(number)) }
        for (number, code) in handlers { put(code, at: CoreBench.handler(number)) }
        core = CortexM4(
            memory: MemoryMap(flash: flash, ramSize: 0x1000), entry: CoreBench.main, stack: CoreBench.stack,
            timing: timing)
        core.part = NRF52832(board: BoardDevices())
        core.registers[4] = 0xE000_E000
        core.registers[5] = 0x2000_0100
    }

    /// Runs the core until it arrives at an address. Expects that this takes at most 10,000 cycles.
    mutating func expectArrival(at address: UInt32, sourceLocation: SourceLocation = #_sourceLocation) {
        var observer = NoObserver()
        core.stops = [address]
        let stop = core.run(until: core.cycles + 10_000, &observer)
        #expect(stop == .address, "at \(core.next)", sourceLocation: sourceLocation)
        core.stops = []
    }

    mutating func run(cycles: UInt64) -> CortexM4.Stop {
        var observer = NoObserver()
        return core.run(until: core.cycles + cycles, &observer)
    }

    func word(_ address: UInt32) -> UInt32 { core.memory.word(at: address) ?? 0 }

    /// Returns a word of the exception frame on the stack. Places 0 to 7 are r0, r1, r2, r3, r12, lr, the return
    /// address and xPSR.
    func frame(_ place: UInt32) -> UInt32 { word(core.register(13) + 4 * place) }

    /// Reads a memory-mapped register. The read has no side effects, because a copy of the core performs it.
    func system(_ address: UInt32) -> UInt32 {
        var copy = core
        return (try? copy.read(address, as: UInt32.self)) ?? 0
    }

    mutating func set(_ address: UInt32, _ word: UInt32) {
        try? core.write(word, at: address)
    }
}
