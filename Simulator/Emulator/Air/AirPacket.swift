/// The protocol and the bit rate of a packet. The raw values are those of RADIO's register MODE (nRF52832 Product
/// Specification v1.4, chapter 23, RADIO, "Registers").
package enum AirMode: UInt32, Sendable {
    case nordic1M, nordic2M, nordic250k, bluetooth1M, bluetooth2M

    /// How long one bit takes, in cycles of the 64 MHz core.
    var bitCycles: UInt64 {
        switch self {
        case .nordic1M, .bluetooth1M: 64
        case .nordic2M, .bluetooth2M: 32
        case .nordic250k: 256
        }
    }

    /// The length of the preamble (Bluetooth Core 5.3, Vol 6, Part B, section 2.1.1).
    var preambleBits: UInt64 { self == .bluetooth2M ? 16 : 8 }
}

/// The CRC, the whitening and the bit order of a packet. If any of these settings differs between sender and receiver, the
/// receiver finds a wrong CRC.
package struct AirCoding: Equatable, Sendable {
    var checkBytes: UInt64
    var polynomial: UInt32
    var initial: UInt32
    var skipsAddress: Bool
    /// The initial value of the whitening. Nil if the packet is not whitened.
    var whitening: UInt32?
    var isBigEndian: Bool
}

/// A packet on the air, with its times in cycles of the 64 MHz core. It consists of preamble, address, header, payload and
/// CRC, all sent at the bit rate of its mode.
package struct AirPacket: Equatable, Sendable {
    /// The value of RADIO's register FREQUENCY: MHz above 2,400 MHz. If bit 8 is set, bits 0 to 6 are MHz above 2,360 MHz.
    package var frequency: UInt32
    package var mode: AirMode
    package var address: UInt64
    var addressBytes: UInt64
    var coding: AirCoding
    /// The bits between address and payload. There are `headerBits` of them, and bit 0 is sent first.
    var header: UInt32
    var headerBits: UInt64
    package var payload: [UInt8]
    /// The first cycle of the preamble.
    package var start: UInt64
    /// True if no receiver hears the packet, because of a fault or a collision.
    var isLost = false

    var addressStart: UInt64 { start + mode.preambleBits * mode.bitCycles }
    var addressEnd: UInt64 { addressStart + addressBytes * 8 * mode.bitCycles }
    var headerEnd: UInt64 { addressEnd + headerBits * mode.bitCycles }
    var payloadEnd: UInt64 { headerEnd + UInt64(payload.count) * 8 * mode.bitCycles }
    /// The cycle after the last bit of the CRC.
    package var end: UInt64 { payloadEnd + coding.checkBytes * 8 * mode.bitCycles }

    /// The 2 bytes of the header, then the payload. Only for Bluetooth packets, whose header has 16 bits.
    package var pdu: [UInt8] { [UInt8(truncatingIfNeeded: header), UInt8(truncatingIfNeeded: header >> 8)] + payload }

    /// Whether a Bluetooth receiver that uses this channel and this initial CRC value finds the packet's CRC right.
    func isIntact(channel: Int, crcInit: UInt32) -> Bool {
        headerBits == 16 && coding == .bluetooth(channel: channel, crcInit: crcInit)
            && Int(header >> 8) == payload.count
    }
}

extension AirCoding {
    /// Returns the coding of a Bluetooth LE packet (Core 5.3, Vol 6, Part B, sections 3.1.1 and 3.2).
    static func bluetooth(channel: Int, crcInit: UInt32) -> AirCoding {
        AirCoding(
            checkBytes: 3, polynomial: 0x65B, initial: crcInit, skipsAddress: true, whitening: UInt32(channel),
            isBigEndian: false)
    }
}

extension AirPacket {
    /// Creates a Bluetooth packet in mode LE 1M. `channel` is the channel's index. `pdu` has the header's 2 bytes, then the
    /// payload.
    package init(channel: Int, accessAddress: UInt32, crcInit: UInt32, pdu: [UInt8], start: UInt64) {
        self.init(
            frequency: BluetoothChannel.frequency(channel), mode: .bluetooth1M, address: UInt64(accessAddress),
            addressBytes: 4, coding: .bluetooth(channel: channel, crcInit: crcInit),
            header: UInt32(pdu[0]) | UInt32(pdu[1]) << 8, headerBits: 16, payload: Array(pdu[2...]), start: start)
    }
}

/// Functions on the channel indices of Bluetooth LE: 0 to 36 for data, and 37 to 39 for advertising (Bluetooth Core 5.3, Vol
/// 6, Part B, sections 1.4.1 and 4.5.8). Bit n of a channel map is 1 if a connection uses channel n.
enum BluetoothChannel {
    static let advertisingAddress: UInt32 = 0x8E89_BED6
    static let advertisingCRC: UInt32 = 0x55_5555

    /// Returns the frequency of a channel, in MHz above 2,400 MHz.
    static func frequency(_ channel: Int) -> UInt32 {
        switch channel {
        case 0...10: UInt32(4 + 2 * channel)
        case 37: 2
        case 38: 26
        case 39: 80
        case _: UInt32(6 + 2 * channel)
        }
    }

    static func used(_ map: UInt64) -> [Int] { (0..<37).filter { map >> UInt64($0) & 1 != 0 } }

    /// Returns the next connection event's channel by channel selection algorithm 1 (section 4.5.8.2). The argument `unmapped`
    /// is 0 for the first event. For a later event, it is the `unmapped` that the previous call returned.
    static func next(after unmapped: Int, hop: Int, map: UInt64) -> (unmapped: Int, channel: Int) {
        let next = (unmapped + hop) % 37
        let used = used(map)
        return (next, map >> UInt64(next) & 1 != 0 ? next : used[next % used.count])
    }

    /// Returns a connection event's channel by channel selection algorithm 2 (section 4.5.8.3).
    static func channel(ofEvent counter: UInt16, accessAddress: UInt32, map: UInt64) -> Int {
        let identifier = UInt16(truncatingIfNeeded: accessAddress >> 16 ^ accessAddress)
        var number = counter ^ identifier
        for _ in 0..<3 {
            let low = reversed(UInt8(truncatingIfNeeded: number)), high = reversed(UInt8(number >> 8))
            number = (UInt16(high) << 8 | UInt16(low)) &* 17 &+ identifier
        }
        number ^= identifier
        let channel = Int(number % 37)
        let used = used(map)
        return map >> UInt64(channel) & 1 != 0 ? channel : used[(used.count * Int(number)) >> 16]
    }

    private static func reversed(_ byte: UInt8) -> UInt8 {
        (0..<8).reduce(0) { $0 | (byte >> UInt8($1) & 1) << UInt8(7 - $1) }
    }
}
