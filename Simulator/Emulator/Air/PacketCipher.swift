/// The peripherals CCM, which encrypts and decrypts packets, and AAR, which resolves addresses (nRF52832 Product Specification
/// v1.4, chapters 29 and 30). Both have the base address 0x4000F000. ENABLE selects one of them.
struct PacketCipher: Peripheral {
    private enum Work {
        case none
        case generates(until: UInt64)
        /// At cycle `until`, CCM reads the packet's length.
        case readsLength(until: UInt64)
        case encrypts(until: UInt64)
        case resolves(until: UInt64)
    }

    /// CCM's events ENDKSGEN, ENDCRYPT and ERROR. AAR's END, RESOLVED and NOTRESOLVED have the same numbers.
    private enum Event {
        static let streamEnd = 0, cryptEnd = 1, error = 2
        static let resolutionEnd = 0, resolved = 1, notResolved = 2
    }

    private var events = EventRegisters(base: 0x4000_F000)
    /// The registers from offset 0x500: ENABLE, MODE/NIRK, CNFPTR/IRKPTR, INPTR, OUTPTR/ADDRPTR, SCRATCHPTR. Of two names, the
    /// first is CCM's and the second is AAR's.
    private var words = [UInt32](repeating: 0, count: 6)
    private var work = Work.none
    /// MICSTATUS of CCM, or STATUS of AAR.
    private var status: UInt32 = 0

    private enum Unit {
        case off, packets, addresses
    }

    private var unit: Unit {
        switch words[0] & 3 {
        case 2: .packets
        case 3: .addresses
        case _: .off
        }
    }

    var isInterrupting: Bool { events.isInterrupting }

    var due: UInt64 {
        switch work {
        case .none: .max
        case .generates(let until), .readsLength(let until), .encrypts(let until), .resolves(let until): until
        }
    }

    private var decrypts: Bool { words[1] & 1 != 0 }
    /// How many cycles a byte takes on the air. The field DATARATE of MODE selects 1 or 2 Mbit/s.
    private var byteCycles: UInt64 { words[1] >> 16 & 1 != 0 ? 256 : 512 }
    /// A mask of the bits in a packet's length field. The field LENGTH of MODE selects 5 or 8 bits.
    private var lengthMask: UInt8 { words[1] >> 24 & 1 != 0 ? 0xFF : 0x1F }

    mutating func advance(_ memory: inout MemoryMap, _ signals: inout Signals) {
        while due <= signals.now {
            switch work {
            case .none: return
            case .generates(let time):
                work = .none
                events.raise(Event.streamEnd, &signals)
                if events.hasShortcut(0) { crypt(at: time) }
            case .readsLength(let time):
                let header = memory.dmaBytes(at: words[3], count: 3) ?? [0, 0, 0]
                if !decrypts && header[1] & lengthMask > 0 {
                    _ = memory.write([header[0], (header[1] & lengthMask) &+ 4, header[2]], at: words[4])
                }
                work = .encrypts(until: time + UInt64(header[1] & lengthMask) * byteCycles + 128)
            case .encrypts:
                work = .none
                finishCrypt(&memory, &signals)
            case .resolves:
                work = .none
                resolve(memory, &signals)
            }
        }
    }

    /// Begins to encrypt or decrypt a packet. To encrypt, CCM reads the packet's length at once. To decrypt, it waits for as
    /// long as the radio takes to receive the header and the length.
    private mutating func crypt(at time: UInt64) {
        status = 0
        work = .readsLength(until: decrypts ? time + 2 * byteCycles + 64 : time)
    }

    /// Encrypts or decrypts the packet at INPTR, and writes the result to OUTPTR. Three bytes precede a payload: header,
    /// length, and a reserved byte. CNFPTR points to the key, the packet counter, the direction and IV ("CCM data structure").
    private mutating func finishCrypt(_ memory: inout MemoryMap, _ signals: inout Signals) {
        guard let configuration = memory.dmaBytes(at: words[2], count: 33),
            let header = memory.dmaBytes(at: words[3], count: 3),
            let payload = memory.dmaBytes(at: words[3] &+ 3, count: Int(header[1] & lengthMask))
        else { return events.raise(Event.error, &signals) }
        let encryption = PacketEncryption(cipher: AES(key: configuration[..<16]), vector: Array(configuration[25...]))
        let counter = (0..<5).reduce(UInt64(0)) { $0 | UInt64(configuration[16 + $1]) << UInt64(8 * $1) }
        let isFromCentral = configuration[24] & 1 != 0
        var result = payload
        if decrypts && payload.count > 4 {
            let (plain, isAuthentic) = encryption.decrypt(
                payload, header: header[0], counter: counter, isFromCentral: isFromCentral)
            (result, status) = (plain, isAuthentic ? 1 : 0)
        } else if !decrypts && !payload.isEmpty {
            result = encryption.encrypt(payload, header: header[0], counter: counter, isFromCentral: isFromCentral)
        } else if decrypts && payload.isEmpty {
            status = 1
        }
        let isWritten = memory.write([header[0], UInt8(result.count), header[2]] + result, at: words[4])
        events.raise(isWritten ? Event.cryptEnd : Event.error, &signals)
    }

    /// Finds the first key at IRKPTR that resolves the address. With such a key, the function ah (Bluetooth Core 5.3, Vol 3,
    /// Part H, section 2.2.2) turns the address's 3 random bytes into its 3 hash bytes.
    private mutating func resolve(_ memory: MemoryMap, _ signals: inout Signals) {
        let count = min(words[1] & 31, 16)
        // ADDRPTR points to a packet. Its address follows S0, LENGTH and S1.
        let address = memory.dmaBytes(at: words[4] &+ 3, count: 6) ?? [0, 0, 0, 0, 0, 0]
        let match = (0..<count).first { index in
            guard let key = memory.dmaBytes(at: words[2] &+ 16 * index, count: 16) else { return false }
            let plain = [UInt8](repeating: 0, count: 13) + address[3...].reversed()
            return AES(key: key).encrypt(plain).suffix(3) == ArraySlice(address[..<3].reversed())
        }
        status = match ?? status
        events.raise(Event.resolutionEnd, &signals)
        events.raise(match == nil ? Event.notResolved : Event.resolved, &signals)
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x000, 0x004, 0x008: 0
        case 0x400: status
        case 0x500...0x514: words[Int((offset - 0x500) / 4)]
        case _: events.read(offset)
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        switch offset {
        case 0x000, 0x004, 0x008: if word & 1 != 0 { perform(offset, signals.now, &signals) }
        case 0x500...0x514: words[Int((offset - 0x500) / 4)] = word
        case _: return events.write(word, to: offset)
        }
        return true
    }

    private mutating func perform(_ task: UInt32, _ now: UInt64, _ signals: inout Signals) {
        switch (unit, task) {
        // The key stream is assumed to take 50 us.
        case (.packets, 0x000): work = .generates(until: now + 50 * 64)
        case (.packets, 0x004): crypt(at: now)
        // AAR typically takes 1 us, and 6 us for each key.
        case (.addresses, 0x000): work = .resolves(until: now + (1 + 6 * UInt64(words[1] & 31)) * 64)
        case (.packets, 0x008): work = .none
        case (.addresses, 0x008):
            if case .resolves = work { events.raise(Event.resolutionEnd, &signals) }
            work = .none
        case _: break
        }
    }
}
