/// NVMC, the flash controller, and UICR, the user's configuration registers. NVMC programs both flash and UICR.
///
/// A write to flash or UICR while CONFIG does not allow it is a bus fault.
/// Source: nRF52832 Product Specification v1.4, chapters 11 (NVMC) and 14 (UICR).
struct FlashController: Peripheral {
    // The maximum times to program a word, to erase a page and to erase all of flash. Tools that flash this chip wait 89.7 ms
    // for a page (adafruit-nrfutil) and 295.3 ms for all of flash. The time of a word is assumed.
    static let wordTime = UInt64.microseconds(338)
    static let pageTime = UInt64.microseconds(89_700)
    static let wholeTime = UInt64.microseconds(295_300)
    static let pageSize: UInt32 = 4096
    /// The number of words of UICR up to its last register, NFCPINS.
    private static let userWords = 0x210 / 4

    private enum Mode: UInt32 {
        case readOnly, writes, erases
    }

    private var mode = Mode.readOnly
    /// ICACHECNF: bit 0 is CACHEEN, bit 8 is CACHEPROFEN. `FlashWaits` models the cache.
    private(set) var cacheControl: UInt32 = 0
    /// IHIT and IMISS. The core sets them before each read of a peripheral's register.
    var cacheProfile: (hits: UInt32, misses: UInt32) = (0, 0)
    private var user = [UInt32](repeating: .max, count: FlashController.userWords)
    var isInterrupting: Bool { false }
    private(set) var busyUntil: UInt64 = 0

    /// The pin that resets the chip; nil unless both words of PSELRESET select the same pin.
    var resetPin: UInt32? {
        let words = user[0x200 / 4..<0x208 / 4]
        guard let first = words.first, first &>> 31 == 0, words.allSatisfy({ $0 == first }) else { return nil }
        return first & 31
    }

    /// - Parameter offset: where the first word belongs, in bytes from the start of UICR. Words that would come after the last
    ///   register of UICR are ignored.
    mutating func program(_ words: [UInt32], from offset: UInt32) {
        for (index, word) in zip(Int(offset) / 4..<user.count, words) { user[index] = word }
    }

    mutating func restart() {
        (mode, cacheControl) = (.readOnly, 0)
    }

    mutating func read(_ offset: UInt32, _ signals: inout Signals) -> UInt32? {
        switch offset {
        case 0x400: signals.now >= busyUntil ? 1 : 0
        case 0x504: mode.rawValue
        case 0x508, 0x50C, 0x510, 0x514: 0
        case 0x540: cacheControl
        case 0x548: cacheProfile.hits
        case 0x54C: cacheProfile.misses
        case _: nil
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32, _ memory: inout MemoryMap, _ signals: inout Signals) -> Bool
    {
        let cycle = signals.now
        switch offset {
        case 0x504: mode = Mode(rawValue: word & 3) ?? .readOnly
        case 0x540: cacheControl = word & 0x101
        case 0x508, 0x510:
            guard case .erases = mode else { break }
            let page = word & ~(FlashController.pageSize &- 1)
            if memory.eraseFlash(at: page, count: Int(FlashController.pageSize)) {
                stand(FlashController.pageTime, cycle)
            }
        case 0x50C, 0x514:
            guard word & 1 != 0, case .erases = mode else { break }
            user = [UInt32](repeating: .max, count: FlashController.userWords)
            guard offset == 0x50C else { return stand(FlashController.pageTime, cycle) }
            _ = memory.eraseFlash(at: 0, count: memory.flash.count)
            stand(FlashController.wholeTime, cycle)
        case _: return false
        }
        return true
    }

    @discardableResult
    private mutating func stand(_ time: UInt64, _ cycle: UInt64) -> Bool {
        busyUntil = max(busyUntil, cycle) &+ time
        return true
    }

    mutating func program(_ word: UInt32, at address: UInt32, _ cycle: UInt64, _ memory: inout MemoryMap) -> Bool {
        guard case .writes = mode, memory.program(word, at: address) else { return false }
        return stand(FlashController.wordTime, cycle)
    }

    func userWord(_ offset: UInt32) -> UInt32 {
        let index = Int(offset / 4)
        return index < user.count ? user[index] : .max
    }

    mutating func programUser(_ word: UInt32, at offset: UInt32, _ cycle: UInt64) -> Bool {
        let index = Int(offset / 4)
        guard case .writes = mode, index < user.count else { return false }
        user[index] &= word
        return stand(FlashController.wordTime, cycle)
    }
}

/// FICR: data that the factory wrote. The chip's identity comes from the seed.
///
/// Source: nRF52832 Product Specification v1.4, chapter 13 (FICR).
struct FactoryInformation: Sendable {
    private var identity: InlineArray<2, UInt64> = .init(repeating: 0)
    private var roots: InlineArray<4, UInt64> = .init(repeating: 0)
    private var address: UInt64

    init(seed: UInt64) {
        var source = RandomSource(seed: ~seed)
        identity[0] = source.next()
        address = source.next()
        for index in 0..<4 { roots[index] = source.next() }
    }

    func word(_ offset: UInt32) -> UInt32? {
        let part = Int(offset / 4)
        return switch offset {
        // CODEPAGESIZE, and CODESIZE in pages.
        case 0x010: FlashController.pageSize
        case 0x014: 128
        case 0x060, 0x064: FactoryInformation.half(of: identity[0], offset)
        // ER and IR: the roots of the keys for encryption and identity.
        case 0x080..<0x0A0: FactoryInformation.half(of: roots[(part - 0x20) / 2], offset)
        // DEVICEADDRTYPE says that DEVICEADDR is random.
        case 0x0A0: 0xFFFF_FFFF
        case 0x0A4: UInt32(truncatingIfNeeded: address)
        case 0x0A8: UInt32(truncatingIfNeeded: address &>> 32)
        // INFO: the chip, its variant AAE0, its package QF, and its RAM and flash in KB.
        case 0x100: 0x5_2832
        case 0x104: 0x4141_4530
        case 0x108: 0x2000
        case 0x10C: 64
        case 0x110: 512
        // The chip's number and revision, from which the start-up code finds the errata that apply.
        case 0x130: 6
        case 0x134: 5
        // The trims that the start-up code copies for errata 12, 31 and 108.
        case 0x244, 0x258, 0x324: 0
        // TEMP: coefficients, offsets and ends of the segments of the temperature curve.
        case 0x404..<0x448: 0
        // The rest is erased.
        case _: 0xFFFF_FFFF
        }
    }

    private static func half(of word: UInt64, _ offset: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: offset & 4 == 0 ? word : word &>> 32)
    }
}
