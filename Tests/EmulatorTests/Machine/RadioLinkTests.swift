import Testing

@testable import Emulator

/// The peripherals RADIO and CCM, tested with the built-in central. The tests write registers as the link layer of a
/// firmware does.
struct RadioLinkTests {
    @Test("a radio that advertises hears the central's SCAN_REQ and CONNECT_IND 150 us after its packet, and no other")
    func advertising() throws {
        var bench = RadioBench()
        try bench.radio.air.add(Central())
        try bench.radio.air.command(.connectTo(name: "Watch"), at: 0)
        bench.configure()
        let address: [UInt8] = [1, 2, 3, 4, 5, 0xC6]
        let name: [UInt8] = [6, 9] + Array("Watch".utf8)
        var heard: [[UInt8]] = []
        for _ in 0..<2 {
            _ = bench.memory.write([0x40, 6, 0] + address, at: RadioBench.buffer)
            bench.set(0x200, 1 | 2 | 8)
            bench.set(0x000, 1)
            bench.run(microseconds: 40 + 128 + 6 + 1)
            let sentEnd = try #require(bench.microseconds(0x10C)) + 4
            #expect(bench.get(0x550) == 1)
            bench.set(0x200, 1 | 2)
            bench.set(0x504, RadioBench.buffer + 0x80)
            bench.run(microseconds: 560)
            // The preamble and the address take 40 us. The radio counts a received bit 6 us late.
            #expect(bench.microseconds(0x104) == sentEnd + 150 + 40 + 6)
            let length = Int(try #require(bench.memory.byte(at: RadioBench.buffer + 0x81)))
            #expect(bench.microseconds(0x10C) == sentEnd + 150 + UInt64(10 + length) * 8 + 6)
            heard.append(Array(try #require(bench.memory.bytes(at: RadioBench.buffer + 0x80, count: 3 + length))))
            // Answers SCAN_REQ. TXEN comes early enough that the packet begins 150 us after the request.
            guard heard.count == 1 else { break }
            _ = bench.memory.write([0x44, UInt8(6 + name.count), 0] + address + name, at: RadioBench.buffer)
            bench.set(0x504, RadioBench.buffer)
            let requestEnd = sentEnd + 150 + UInt64(10 + length) * 8
            bench.run(to: (requestEnd + 150 - 4 - 40) * 64)
            bench.set(0x000, 1)
            bench.run(microseconds: 1_000)
        }
        #expect(heard[0].prefix(2) == [0x03 | 0xC0, 12])
        #expect(heard[0].suffix(6) == address[...])
        #expect(heard[1].prefix(2) == [0x05 | 0xC0, 34])
        let peripheral = BluetoothAddress(bytes: address, isRandom: true)
        #expect(
            bench.radio.air.takeCentralEvents().suffix(2) == [
                .found(peripheral, name: "Watch", strength: -60), .connected(peripheral),
            ])
    }

    @Test(
        "CCM encrypts a packet while the radio sends it if KSGEN is triggered with START",
        arguments: [1, 27, 247])
    func encryptsOnTheFly(count: Int) throws {
        var bench = RadioBench()
        bench.radio.air.recorded = []
        bench.configure()
        let plain = (0..<count).map { UInt8($0) }
        let configuration = MemoryMap.ramStart + 0x400, input = MemoryMap.ramStart + 0x500
        _ = bench.memory.write(
            [UInt8](repeating: 3, count: 16) + [5, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8], at: configuration)
        _ = bench.memory.write([0x02, UInt8(count), 0] + plain, at: input)
        var cipher = PacketCipher()
        bench.set(0x000, 1)
        bench.run(microseconds: 40)
        #expect(bench.microseconds(0x100) == 40)
        var signals = Signals(now: bench.now)
        let settings: [(UInt32, UInt32)] = [
            (0x500, 2), (0x504, 1 << 24), (0x508, configuration), (0x50C, input), (0x510, RadioBench.buffer),
            (0x200, 1), (0x000, 1),
        ]
        for (offset, word) in settings { _ = cipher.write(word, to: offset, &bench.memory, &signals) }
        while cipher.due != .max {
            let due = cipher.due
            bench.run(to: due - 1)
            signals.now = due
            cipher.advance(&bench.memory, &signals)
        }
        bench.run(microseconds: 2_200)
        let encryption = PacketEncryption(
            cipher: AES(key: [UInt8](repeating: 3, count: 16)), vector: [1, 2, 3, 4, 5, 6, 7, 8])
        let expected = encryption.encrypt(plain, header: 0x02, counter: 5, isFromCentral: false)
        #expect(bench.radio.air.recorded?.first?.pdu == [0x02, UInt8(count + 4)] + expected)
    }
}
