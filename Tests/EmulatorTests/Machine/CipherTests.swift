import Testing

@testable import Emulator

func hex(_ text: String) -> [UInt8] {
    let digits = text.filter { $0 != " " }.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] * 16 + digits[$0 + 1]) }
}

/// The test vectors are from FIPS 197, RFC 4493 and Bluetooth Core 5.3 (Vol 6, Part C, section 1; Vol 3, Part H,
/// appendix D).
struct CipherTests {
    @Test("AES encrypts the examples of FIPS 197, appendices B and C.1")
    func aes() {
        let key = hex("2b7e151628aed2a6abf7158809cf4f3c")
        #expect(
            AES(key: key).encrypt(hex("3243f6a8885a308d313198a2e0370734")) == hex("3925841d02dc09fbdc118597196a0b32"))
        let other = hex("000102030405060708090a0b0c0d0e0f")
        #expect(
            AES(key: other).encrypt(hex("00112233445566778899aabbccddeeff")) == hex("69c4e0d86a7b0430d8cdb78070b4c55a"))
    }

    @Test(
        "AES-CMAC gives the codes of RFC 4493, section 4",
        arguments: [
            (0, "bb1d6929e95937287fa37d129b756746"), (16, "070a16b46b4d4144f79bdd9dd04a287c"),
            (40, "dfa66747de9ae63030ca32611497c827"), (64, "51f0bebf7e3b9d92fc49741779363cfe"),
        ])
    func cmac(count: Int, code: String) {
        let message = hex(
            "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
                + "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710")
        let cipher = AES(key: hex("2b7e151628aed2a6abf7158809cf4f3c"))
        #expect(cipher.authenticate(Array(message.prefix(count))) == hex(code))
    }

    private let u = hex("20b003d2f297be2c5e2c83a7e9f9a5b9eff49111acf4fddbcc0301480e359de6")
    private let v = hex("55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd")
    private let x = hex("d5cb8454d177733effffb2ec712baeab")
    private let y = hex("a6e8e7cc25a75f6e216583f7ff3dc4cf")
    private let a1 = hex("00561237 37bfce"), a2 = hex("00a713702dcfc1")

    @Test("f4, f5, f6 and g2 give the specification's samples")
    func pairingFunctions() {
        #expect(PairingFunctions.f4(u, v, x, 0) == hex("f2c916f107a9bd1cf1eda1bea974872d"))
        let shared = hex("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698")
        let keys = PairingFunctions.f5(shared, x, y, a1, a2)
        #expect(keys.check == hex("2965f176a1084a02fd3f6a20ce636e20"))
        #expect(keys.longTerm == hex("6986791169d7cd23980522b594750a38"))
        let r = hex("12a3343bb453bb5408da42d20c2d0fc8")
        let check = PairingFunctions.f6(keys.check, x, y, r, [1, 1, 2], a1, a2)
        #expect(check == hex("e3c473989cd0e8c5d26c0b09da958f61"))
        #expect(PairingFunctions.g2(u, v, x, y) == 0x2f9e_d5ba % 1_000_000)
    }

    @Test("P-256 gives the public keys and the shared key of the specification's first data set")
    func curve() throws {
        let secretA = hex("3f49f6d4a3c55f3874c9b3e3d2103f504aff607beb40b7995899b8a6cd3c1abd")
        let secretB = hex("55188b3d32f6bb9a900afcfbeed4e72a59cb9ac2f19d7cfb6b4fdd49f47fc5fd")
        let publicA = try #require(PrimeCurve.publicKey(of: secretA))
        let publicB = try #require(PrimeCurve.publicKey(of: secretB))
        #expect(publicA.x == u)
        #expect(publicA.y == hex("dc809c49652aeb6d63329abf5a52155c766345c28fed3024741c8ed01589d28b"))
        #expect(publicB.x == hex("1ea1f0f01faf1d9609592284f19e4c0047b58afd8615a69f559077b22faaa190"))
        #expect(publicB.y == hex("4c55f33e429dad377356703a9ab85160472d1130e28e36765f89aff915b1214a"))
        let shared = hex("ec0234a357c8ad05341010a60a397d9b99796b13b4f866f1868d34f373bfa698")
        for (secret, point) in [(secretA, publicB), (secretB, publicA)] {
            #expect(PrimeCurve.multiply(secret, point)?.x == shared)
        }
        #expect(PrimeCurve.multiply(secretA, (publicA.x, publicB.y)) == nil)
    }

    /// Returns the encryption of the sample in Vol 6, Part C, section 1. Expects that the session key is the sample's.
    private func sampleEncryption() -> PacketEncryption {
        let key = AES(key: hex("4C68384139F574D836BCF34E9DFB01BF")).encrypt(hex("0213243546576879 ACBDCEDFE0F10213"))
        #expect(key == hex("99AD1B5226A37E3E058E3B8E27C2C666"))
        return PacketEncryption(cipher: AES(key: key), vector: hex("24ABDCBA BEBAAFDE"))
    }

    @Test("CCM encrypts the specification's packets")
    func ccm() {
        let encryption = sampleEncryption()
        let fromCentral = encryption.encrypt([0x06], header: 0x0F, counter: 0, isFromCentral: true)
        #expect(fromCentral == hex("9FCDA7F448"))
        let toCentral = encryption.encrypt([0x06], header: 0x07, counter: 0, isFromCentral: false)
        #expect(toCentral == hex("A34C13A415"))
        let data = hex("1700 6364 656667 68696A6B6C6D6E6F707131323334353637383930")
        let cipher = encryption.encrypt(data, header: 0x0E, counter: 1, isFromCentral: true)
        #expect(cipher == hex("7A70D6641522 6D F26B17839A060405596BD6564F79 6B5B9CE6FF32 F75A6D33"))
        let plain = encryption.decrypt(cipher, header: 0x02, counter: 1, isFromCentral: true)
        #expect(plain.plain == data)
        #expect(plain.isAuthentic)
        #expect(!encryption.decrypt(cipher, header: 0x02, counter: 2, isFromCentral: true).isAuthentic)
    }

    @Test("ECB takes 7.2 us, and reports a stop")
    func blockCipher() {
        var memory = MemoryMap(flash: [], ramSize: 256)
        let address = MemoryMap.ramStart
        _ = memory.write(hex("000102030405060708090a0b0c0d0e0f00112233445566778899aabbccddeeff"), at: address)
        var cipher = BlockCipher()
        var signals = Signals(now: 1_000)
        for (offset, word) in [(0x504, address), (0x000, 1)] as [(UInt32, UInt32)] {
            _ = cipher.write(word, to: offset, &memory, &signals)
        }
        #expect(cipher.due == 1_461)
        signals.now = 1_461
        cipher.advance(&memory, &signals)
        #expect(
            memory.bytes(at: address + 32, count: 16)?.elementsEqual(hex("69c4e0d86a7b0430d8cdb78070b4c55a")) == true)
        #expect(signals.takeRaised() == [0x4000_E100])
        _ = cipher.write(1, to: 0x000, &memory, &signals)
        _ = cipher.write(1, to: 0x004, &memory, &signals)
        #expect(signals.takeRaised() == [0x4000_E104])
    }

    private func settle(_ cipher: inout PacketCipher, _ memory: inout MemoryMap, _ signals: inout Signals) {
        while cipher.due != .max {
            signals.now = cipher.due
            cipher.advance(&memory, &signals)
        }
    }

    @Test("CCM makes the key stream in 50 us, and encrypts and decrypts by its configuration in memory")
    func packetCipher() {
        var memory = MemoryMap(flash: [], ramSize: 512)
        let configuration = MemoryMap.ramStart, input = configuration + 64, output = configuration + 128
        let key = hex("99AD1B5226A37E3E058E3B8E27C2C666")
        _ = memory.write(key + [0, 0, 0, 0, 0, 0, 0, 0, 1] + hex("24ABDCBABEBAAFDE"), at: configuration)
        _ = memory.write([0x0F, 1, 0, 0x06], at: input)
        var cipher = PacketCipher()
        var signals = Signals(now: 0)
        func write(_ offset: UInt32, _ word: UInt32) { _ = cipher.write(word, to: offset, &memory, &signals) }
        write(0x500, 2)
        write(0x504, 1 << 24)
        write(0x508, configuration)
        write(0x50C, input)
        write(0x510, output)
        write(0x200, 1)
        write(0x000, 1)
        #expect(cipher.due == 50 * 64)
        settle(&cipher, &memory, &signals)
        #expect(signals.takeRaised() == [0x4000_F100, 0x4000_F104])
        #expect(memory.bytes(at: output, count: 8)?.elementsEqual(hex("0F05009FCDA7F448")) == true)
        write(0x504, 1 | 1 << 24)
        write(0x50C, output)
        write(0x510, input)
        write(0x004, 1)
        settle(&cipher, &memory, &signals)
        #expect(cipher.read(0x400, &signals) == 1)
        #expect(memory.bytes(at: input, count: 4)?.elementsEqual([0x0F, 1, 0, 6]) == true)
        _ = memory.write([0], at: output + 4)
        write(0x004, 1)
        settle(&cipher, &memory, &signals)
        #expect(cipher.read(0x400, &signals) == 0)
    }

    @Test("AAR finds the key of the specification's sample of ah in 1 us and 6 us for each key")
    func resolution() {
        // Vol 3, Part H, appendix D.7: ah(IRK, 708194) is 0dfbaa.
        var memory = MemoryMap(flash: [], ramSize: 512)
        let keys = MemoryMap.ramStart, packet = keys + 64
        _ = memory.write([UInt8](repeating: 9, count: 16) + hex("ec0234a357c8ad05341010a60a397d9b"), at: keys)
        _ = memory.write([0x40, 6, 0] + hex("aafb0d 948170"), at: packet)
        var cipher = PacketCipher()
        var signals = Signals(now: 0)
        for (offset, word) in [(0x500, 3), (0x504, 2), (0x508, keys), (0x510, packet), (0x000, 1)] as [(UInt32, UInt32)]
        {
            _ = cipher.write(word, to: offset, &memory, &signals)
        }
        #expect(cipher.due == 13 * 64)
        settle(&cipher, &memory, &signals)
        #expect(signals.takeRaised() == [0x4000_F100, 0x4000_F104])
        #expect(cipher.read(0x400, &signals) == 1)
    }
}

/// The expected channels are from Bluetooth Core 5.3, Vol 6, Part C, section 3, and Part B, section 4.5.8.2.
struct ChannelSelectionTests {
    @Test("algorithm 2 gives the specification's samples with all 37 channels")
    func allChannels() {
        let channels = (0..<4).map {
            BluetoothChannel.channel(ofEvent: $0, accessAddress: 0x8E89_BED6, map: 0x1F_FFFF_FFFF)
        }
        #expect(channels == [25, 20, 6, 21])
    }

    @Test("algorithm 2 gives the specification's samples with 9 channels")
    func nineChannels() {
        // The channels 9, 10, 21, 22, 23, 33, 34, 35 and 36.
        let channels = (6..<9).map {
            BluetoothChannel.channel(ofEvent: $0, accessAddress: 0x8E89_BED6, map: 0x1E_00E0_0600)
        }
        #expect(channels == [23, 9, 34])
    }

    @Test("algorithm 1 adds the hop, and remaps an unused channel by its number modulo the used ones")
    func hops() {
        #expect(BluetoothChannel.next(after: 0, hop: 7, map: 0x1F_FFFF_FFFF) == (7, 7))
        #expect(BluetoothChannel.next(after: 32, hop: 7, map: 0x1F_FFFF_FFFF) == (2, 2))
        // The used channels are 9, 10, 21, 22, 23, 33, 34, 35 and 36; 20 modulo 9 is 2.
        #expect(BluetoothChannel.next(after: 13, hop: 7, map: 0x1E_00E0_0600) == (20, 21))
    }

    @Test(
        "channels have the frequencies of section 1.4.1",
        arguments: [(0, 4), (10, 24), (11, 28), (36, 78), (37, 2), (38, 26), (39, 80)])
    func frequencies(channel: Int, megahertz: UInt32) {
        #expect(BluetoothChannel.frequency(channel) == megahertz)
    }
}
