import COpenSSL

/// AES with a key of 128 bits (FIPS 197). Bytes are in the order of the standard: the most significant first.
struct AES: Sendable {
    private var schedule = AES_KEY()

    /// - Parameter key: 16 bytes.
    init(key: some Collection<UInt8>) {
        precondition(AES_set_encrypt_key(Array(key), 128, &schedule) == 0)
    }

    func encrypt(_ block: some Collection<UInt8>) -> [UInt8] {
        var result = Array(block)
        var schedule = schedule
        AES_encrypt(result, &result, &schedule)
        return result
    }

    /// Returns the 16 bytes of a message's AES-CMAC (RFC 4493).
    func authenticate(_ message: [UInt8]) -> [UInt8] {
        func doubled(_ block: [UInt8]) -> [UInt8] {
            var result = (0..<16).map { block[$0] << 1 | ($0 < 15 ? block[$0 + 1] >> 7 : 0) }
            if block[0] & 0x80 != 0 { result[15] ^= 0x87 }
            return result
        }
        var subkey = doubled(encrypt([UInt8](repeating: 0, count: 16)))
        var padded = message
        if message.isEmpty || message.count % 16 != 0 {
            subkey = doubled(subkey)
            padded += [0x80] + [UInt8](repeating: 0, count: 15 - message.count % 16)
        }
        for index in 0..<16 { padded[padded.count - 16 + index] ^= subkey[index] }
        return stride(from: 0, to: padded.count, by: 16).reduce([UInt8](repeating: 0, count: 16)) { chain, start in
            encrypt(zip(chain, padded[start..<start + 16]).map { $0 ^ $1 })
        }
    }
}

/// Encrypts and decrypts the packets of one connection as the link layer does: AES-CCM with a MIC of 4 bytes (Bluetooth Core
/// 5.3, Vol 6, Part E, section 2).
struct PacketEncryption: Sendable {
    let cipher: AES
    /// The initialization vector: the central's 4 bytes, then the peripheral's 4 bytes.
    let vector: [UInt8]

    private func block(_ flags: UInt8, _ counter: UInt64, isFromCentral: Bool, _ last: Int) -> [UInt8] {
        let number = counter & 0x7F_FFFF_FFFF | (isFromCentral ? 1 << 39 : 0)
        return [flags] + (0..<5).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) } + vector
            + [UInt8(last >> 8), UInt8(last & 0xFF)]
    }

    private func stream(_ bytes: [UInt8], _ counter: UInt64, _ isFromCentral: Bool) -> [UInt8] {
        bytes.indices.map { $0 }.chunked(by: 16).enumerated().flatMap { index, part in
            zip(part, cipher.encrypt(block(1, counter, isFromCentral: isFromCentral, index + 1))).map { bytes[$0] ^ $1 }
        }
    }

    private func code(_ header: UInt8, _ plain: [UInt8], _ counter: UInt64, _ isFromCentral: Bool) -> [UInt8] {
        // The MIC leaves out NESN, SN and MD, because these change when a packet is sent again.
        let first = cipher.encrypt(block(0x49, counter, isFromCentral: isFromCentral, plain.count))
        var chain = first
        for part in [[0, 1, header & 0xE3]] + plain.chunked(by: 16).map(Array.init) {
            for (index, byte) in part.enumerated() { chain[index] ^= byte }
            chain = cipher.encrypt(chain)
        }
        let key = cipher.encrypt(block(1, counter, isFromCentral: isFromCentral, 0))
        return (0..<4).map { chain[$0] ^ key[$0] }
    }

    func encrypt(_ plain: [UInt8], header: UInt8, counter: UInt64, isFromCentral: Bool) -> [UInt8] {
        stream(plain, counter, isFromCentral) + code(header, plain, counter, isFromCentral)
    }

    /// Decrypts a payload that ends with its MIC. Returns the decrypted bytes without the MIC, and whether the MIC is right.
    func decrypt(
        _ payload: [UInt8], header: UInt8, counter: UInt64, isFromCentral: Bool
    ) -> (plain: [UInt8], isAuthentic: Bool) {
        let plain = stream(payload.dropLast(4), counter, isFromCentral)
        return (plain, payload.count > 4 && code(header, plain, counter, isFromCentral) == payload.suffix(4))
    }
}

extension Array {
    func chunked(by count: Int) -> [ArraySlice<Element>] {
        stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
    }
}

/// The peripheral ECB, which encrypts one block of 16 bytes with AES. Base address 0x4000E000 (nRF52832 Product Specification
/// v1.4, chapter 28, ECB).
struct BlockCipher: Peripheral {
    private var events = EventRegisters(base: 0x4000_E000)
    private var pointer: UInt32 = 0
    private(set) var due: UInt64 = .max
    var isInterrupting: Bool { events.isInterrupting }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {
        guard due <= signals.now else { return }
        due = .max
        guard let data = memory.dmaBytes(at: pointer, count: 32) else { return events.raise(1, &signals) }
        let result = AES(key: data[..<16]).encrypt(data[16...])
        events.raise(memory.write(result, at: pointer &+ 32) ? 0 : 1, &signals)
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x000, 0x004: 0
        case 0x504: pointer
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        switch offset {
        // STARTECB typically takes 7.2 us.
        case 0x000: if word & 1 != 0 { due = signals.now + 461 }
        // STOPECB ends a running encryption with ERRORECB.
        case 0x004:
            guard word & 1 != 0, due != .max else { break }
            due = .max
            events.raise(1, &signals)
        case 0x504: pointer = word
        case _: return events.write(word, to: offset)
        }
        return true
    }
}
