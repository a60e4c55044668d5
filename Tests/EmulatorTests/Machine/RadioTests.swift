import Testing

@testable import Emulator

struct RadioBench {
    static let base: UInt32 = 0x4000_1000
    static let buffer = MemoryMap.ramStart + 0x100
    var radio = Radio()
    var memory = MemoryMap(flash: [], ramSize: 4_096)
    var now: UInt64 = 0
    /// The cycles of each event, by the offset of the event's register.
    var times: [UInt32: [UInt64]] = [:]

    mutating func set(_ offset: UInt32, _ word: UInt32) {
        run(to: now)
        var signals = Signals(now: now)
        let isWritten = radio.write(word, to: offset, &memory, &signals)
        #expect(isWritten)
        note(&signals)
    }

    func get(_ offset: UInt32) -> UInt32? {
        var signals = Signals(now: now)
        var radio = radio
        return radio.read(offset, &signals)
    }

    private mutating func note(_ signals: inout Signals) {
        for event in signals.takeRaised() { times[event - RadioBench.base, default: []].append(signals.now) }
    }

    mutating func run(to end: UInt64) {
        while radio.due <= end {
            now = max(now, radio.due)
            var signals = Signals(now: now)
            radio.advance(&memory, &signals)
            note(&signals)
        }
        now = end
    }

    mutating func run(microseconds: UInt64) { run(to: now + microseconds * 64) }

    /// Sets RADIO up for Bluetooth packets on an advertising channel. S0 has 1 byte, LENGTH has 8 bits, and S1 is only
    /// in memory. Mode 3 is 1 Mbit/s, mode 4 is 2 Mbit/s. `fast` selects the fast ramp-up.
    mutating func configure(channel: Int = 37, mode: UInt32 = 3, fast: Bool = true) {
        set(0x508, BluetoothChannel.frequency(channel))
        set(0x510, mode)
        set(0x514, 8 | 1 << 8 | 1 << 20)
        set(0x518, 255 | 3 << 16 | 1 << 25)
        set(0x51C, 0x89BE_D600)
        set(0x524, 0x8E)
        set(0x52C, 0)
        set(0x530, 1)
        set(0x534, 3 | 1 << 8)
        set(0x538, 0x65B)
        set(0x53C, 0x55_5555)
        set(0x554, UInt32(channel) | 0x40)
        set(0x650, fast ? 1 : 0)
        set(0x504, RadioBench.buffer)
        set(0x200, 1 | 2 | 1 << 4 | 1 << 6)
    }

    func microseconds(_ event: UInt32) -> UInt64? {
        guard let cycle = times[event]?.last else { return nil }
        #expect(cycle % 64 == 0)
        return cycle / 64
    }
}

/// The expected times are from the nRF52832 Product Specification v1.4 (chapter 23, RADIO, "Timing specifications").
/// Packet lengths are from Bluetooth Core 5.3 (Vol 6, Part B, section 2.1). Times are in microseconds.
struct RadioTests {
    static let ready: UInt32 = 0x100, address: UInt32 = 0x104, payload: UInt32 = 0x108, end: UInt32 = 0x10C
    static let disabled: UInt32 = 0x110, strength: UInt32 = 0x11C, crcOK: UInt32 = 0x130, crcError: UInt32 = 0x134

    private func sent(_ bytes: [UInt8], mode: UInt32 = 3, fast: Bool = true) -> RadioBench {
        var bench = RadioBench()
        bench.radio.air.recorded = []
        bench.configure(mode: mode, fast: fast)
        _ = bench.memory.write(bytes, at: RadioBench.buffer)
        bench.set(0x000, 1)
        bench.run(microseconds: 5_000)
        return bench
    }

    @Test(
        "a packet of 1 Mbit/s takes a microsecond a bit, and is on the air 4 us after the radio counts it",
        arguments: [0, 6, 37, 255])
    func sendingTime(count: Int) throws {
        let pdu: [UInt8] = [0x02, UInt8(count), 0] + (0..<count).map { UInt8($0) }
        let bench = sent(pdu)
        #expect(bench.microseconds(Self.ready) == 40)
        #expect(bench.microseconds(Self.address) == 40 + 8 + 32)
        #expect(bench.microseconds(Self.payload) == 40 + 8 + 32 + 16 + 8 * UInt64(count))
        #expect(bench.microseconds(Self.end) == 40 + 8 + 32 + 16 + 8 * UInt64(count) + 24)
        #expect(bench.microseconds(Self.disabled) == 40 + 8 + 32 + 16 + 8 * UInt64(count) + 24 + 6)
        let packet = try #require(bench.radio.air.recorded?.first)
        #expect(packet.start == 44 * 64)
        #expect(packet.end - packet.start == UInt64(1 + 4 + 2 + count + 3) * 8 * 64)
        #expect(packet.pdu == [0x02, UInt8(count)] + pdu[3...])
        #expect(packet.address == 0x8E89_BED6)
        #expect(packet.isIntact(channel: 37, crcInit: 0x55_5555))
    }

    @Test("a slow ramp-up takes 140 us")
    func slowRampUp() {
        let bench = sent([0, 0, 0], fast: false)
        #expect(bench.microseconds(Self.ready) == 140)
    }

    @Test("a packet of 2 Mbit/s has a preamble of 16 bits and half a microsecond a bit")
    func doubleRate() throws {
        let bench = sent([0x02, 10, 0] + [UInt8](repeating: 7, count: 10), mode: 4)
        #expect(bench.microseconds(Self.end) == 40 + UInt64(2 + 4 + 2 + 10 + 3) * 4)
        #expect(bench.microseconds(Self.disabled) == 40 + UInt64(2 + 4 + 2 + 10 + 3) * 4 + 4)
        #expect(bench.radio.air.recorded?.first?.start == 43 * 64)
    }

    /// Returns a receiver 1 ms after its start. It is ready at 40 us, and a packet with 8 bytes of payload begins at
    /// 100 us. `change` alters the packet.
    private func received(lostBy change: (inout AirPacket) -> Void = { _ in }, shorts: UInt32? = nil) -> RadioBench {
        var bench = RadioBench()
        bench.configure()
        if let shorts { bench.set(0x200, shorts) }
        bench.set(0x560, 64)
        bench.set(0x004, 1)
        var packet = AirPacket(
            channel: 37, accessAddress: 0x8E89_BED6, crcInit: 0x55_5555, pdu: [0x42, 8, 1, 2, 3, 4, 5, 6, 7, 8],
            start: 100 * 64)
        change(&packet)
        bench.radio.air.send(packet)
        bench.run(microseconds: 1_000)
        return bench
    }

    @Test("a received packet is counted 6 us after it was on the air")
    func receivingTime() {
        let bench = received()
        #expect(bench.microseconds(Self.ready) == 40)
        #expect(bench.microseconds(Self.address) == 100 + 40 + 6)
        #expect(bench.microseconds(0x128) == 100 + 40 + 6 + 64)
        #expect(bench.microseconds(Self.payload) == 100 + 40 + 16 + 64 + 6)
        #expect(bench.microseconds(Self.end) == 100 + 40 + 16 + 64 + 24 + 6)
        #expect(bench.microseconds(Self.disabled) == 100 + 40 + 16 + 64 + 24 + 6)
        #expect(bench.times[Self.crcOK]?.count == 1)
        #expect(bench.get(0x400) == 1)
        #expect(bench.get(0x548) == 60)
        #expect(bench.times[Self.strength]?.count == 1)
        #expect(bench.memory.bytes(at: RadioBench.buffer, count: 11) == [0x42, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test("at the bit counter's match, memory has the bytes that have arrived")
    func progress() {
        var bench = RadioBench()
        bench.configure()
        bench.set(0x560, 8)
        bench.set(0x004, 1)
        bench.radio.air.send(
            AirPacket(channel: 37, accessAddress: 0x8E89_BED6, crcInit: 0x55_5555, pdu: [0x42, 2, 9, 8], start: 6_400))
        bench.run(to: (100 + 40 + 6 + 8) * 64)
        #expect(bench.memory.bytes(at: RadioBench.buffer, count: 5) == [0x42, 0, 0, 0, 0])
        bench.set(0x560, 24)
        bench.run(to: (100 + 40 + 6 + 24) * 64)
        #expect(bench.times[0x128]?.count == 2)
        #expect(bench.memory.bytes(at: RadioBench.buffer, count: 5) == [0x42, 2, 0, 9, 0])
    }

    @Test("another CRC, whitening, address, frequency or a late receiver loses the packet")
    func refusals() {
        #expect(received(lostBy: { $0.coding.initial = 1 }).times[Self.crcError]?.count == 1)
        #expect(received(lostBy: { $0.coding.whitening = 38 }).times[Self.crcError]?.count == 1)
        #expect(received(lostBy: { $0.address = 5 }).times[Self.address] == nil)
        #expect(received(lostBy: { $0.frequency = 26 }).times[Self.address] == nil)
        #expect(received(lostBy: { $0.mode = .bluetooth2M }).times[Self.address] == nil)
        #expect(received(lostBy: { $0.start = 30 * 64 }).times[Self.address] == nil)
        #expect(received(lostBy: { $0.start = 32 * 64 }).times[Self.address]?.count == 1)
    }

    @Test("two packets at once destroy each other")
    func collision() {
        var bench = RadioBench()
        bench.configure()
        bench.set(0x004, 1)
        for start: UInt64 in [6_400, 9_000] {
            bench.radio.air.send(
                AirPacket(
                    channel: 37, accessAddress: 0x8E89_BED6, crcInit: 0x55_5555, pdu: [0, 6] + [1, 2, 3, 4, 5, 6],
                    start: start))
        }
        bench.run(microseconds: 1_000)
        #expect(bench.times[Self.address] == nil)
    }

    @Test("TIFS delays the packet after a received one to 150 us after its last bit")
    func interFrameSpace() throws {
        var bench = RadioBench()
        bench.radio.air.recorded = []
        bench.configure(fast: false)
        bench.set(0x544, 150)
        bench.set(0x200, 1 | 2 | 4)
        bench.set(0x004, 1)
        let packet = AirPacket(
            channel: 37, accessAddress: 0x8E89_BED6, crcInit: 0x55_5555, pdu: [0, 0], start: 200 * 64)
        bench.radio.air.send(packet)
        bench.run(to: packet.end + 160 * 64)
        bench.set(0x200, 1 | 2)
        bench.run(microseconds: 500)
        let answer = try #require(bench.radio.air.recorded?.first)
        #expect(answer.start - packet.end == 150 * 64)
    }

    @Test("a device address that is enabled matches after 64 bits")
    func deviceMatch() {
        func events(_ address: [UInt8]) -> RadioBench {
            var bench = RadioBench()
            bench.configure()
            bench.set(0x604, 0x0403_0201)
            bench.set(0x624, 0x0605)
            bench.set(0x640, 2 | 2 << 8)
            bench.set(0x004, 1)
            bench.radio.air.send(
                AirPacket(
                    channel: 37, accessAddress: 0x8E89_BED6, crcInit: 0x55_5555, pdu: [0x40, 6] + address, start: 6_400)
            )
            bench.run(microseconds: 1_000)
            return bench
        }
        let match = events([1, 2, 3, 4, 5, 6])
        #expect(match.microseconds(0x114) == 100 + 40 + 6 + 64)
        #expect(match.get(0x410) == 1)
        #expect(events([1, 2, 3, 4, 5, 7]).times[0x118]?.count == 1)
    }

    @Test("STATE follows the tasks, and flash is no buffer")
    func states() {
        var bench = RadioBench()
        bench.configure()
        bench.set(0x200, 0)
        #expect(bench.get(0x550) == 0)
        bench.set(0x000, 1)
        #expect(bench.get(0x550) == 9)
        bench.run(microseconds: 40)
        #expect(bench.get(0x550) == 10)
        bench.set(0x504, 0)
        bench.set(0x008, 1)
        #expect(bench.get(0x550) == 11)
        bench.set(0x010, 1)
        #expect(bench.get(0x550) == 12)
        bench.run(microseconds: 6)
        #expect(bench.get(0x550) == 0)
        bench.set(0x004, 1)
        #expect(bench.get(0x550) == 1)
        bench.run(microseconds: 40)
        #expect(bench.get(0x550) == 2)
        bench.set(0x008, 1)
        #expect(bench.get(0x550) == 3)
        bench.set(0x010, 1)
        #expect(bench.get(0x550) == 0)
        #expect(bench.get(0x7F0) == nil)
        bench.radio.restart()
        #expect(bench.get(0x510) == 0)
        #expect(bench.radio.due == .max)
    }

    @Test("a packet out of range or of a lossy air is not heard, by the seed")
    func faults() {
        func heard(_ change: (inout Air) -> Void) -> Int {
            var bench = RadioBench()
            bench.configure()
            bench.set(0x200, 1 | 1 << 5)
            change(&bench.radio.air)
            bench.set(0x004, 1)
            for index in 1...100 {
                bench.radio.air.send(
                    AirPacket(
                        channel: 37, accessAddress: 0x8E89_BED6, crcInit: 0x55_5555, pdu: [0, 0],
                        start: UInt64(index) * 64_000))
                bench.run(microseconds: 1_000)
            }
            bench.run(microseconds: 1_000)
            return bench.times[Self.end]?.count ?? 0
        }
        #expect(heard { _ in } == 100)
        #expect(heard { $0.faults.isInRange = false } == 0)
        let half = heard { $0.faults.lossPerMillion = 500_000 }
        #expect(half > 30 && half < 70)
        #expect(half == heard { $0.faults.lossPerMillion = 500_000 })
    }
}
