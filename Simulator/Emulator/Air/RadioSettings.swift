/// A configuration register of RADIO. The raw value is its offset (nRF52832 Product Specification v1.4, chapter 23, RADIO,
/// "Registers").
enum RadioRegister: UInt32 {
    case packetPointer = 0x504, frequency = 0x508, power = 0x50C, mode = 0x510, layout0 = 0x514, layout1 = 0x518
    case base0 = 0x51C, base1 = 0x520, prefix0 = 0x524, prefix1 = 0x528
    case sendAddress = 0x52C, receiveAddresses = 0x530
    case crc = 0x534, polynomial = 0x538, crcInitial = 0x53C
    case space = 0x544, whitening = 0x554, bitCounterCompare = 0x560
    case deviceMatch = 0x640, rampUp = 0x650
}

struct RadioSettings: Sendable {
    /// The registers at the offsets 0x500 to 0x650.
    private var words = [UInt32](repeating: 0, count: 0x55)

    init() {
        words[2] = 2
        self[.whitening] = 0x40
        self[.rampUp] = 0x200
    }

    subscript(register: RadioRegister) -> UInt32 {
        get { words[Int((register.rawValue - 0x500) / 4)] }
        set { words[Int((register.rawValue - 0x500) / 4)] = newValue }
    }

    private static func isModelled(_ offset: UInt32) -> Bool {
        RadioRegister(rawValue: offset) != nil || 0x600..<0x640 ~= offset
    }

    func read(_ offset: UInt32) -> UInt32? {
        switch offset {
        case 0xFFC: 1
        // For erratum 102, firmware writes 0x774. That has no effect here.
        case 0x774: 0
        case _: RadioSettings.isModelled(offset) ? words[Int((offset - 0x500) / 4)] : nil
        }
    }

    mutating func write(_ word: UInt32, to offset: UInt32) -> Bool {
        if offset == 0xFFC || offset == 0x774 { return true }
        guard RadioSettings.isModelled(offset) else { return false }
        words[Int((offset - 0x500) / 4)] = word
        return true
    }

    var mode: AirMode? { AirMode(rawValue: self[.mode] & 15) }
    var packetPointer: UInt32 { self[.packetPointer] }
    var isFast: Bool { self[.rampUp] & 1 != 0 }
    /// The interframe space TIFS, in cycles.
    var space: UInt64 { UInt64(self[.space] & 0xFF) * 64 }

    // The times, in cycles. Zephyr measured the ramp-up of the nRF52832 (radio_nrf52832.h); the specification of the nRF5340 has
    // the same ramp-up and the times to disable. `sendDelay` and `receiveDelay` are those of NimBLE (ble_phy.c for nRF52). For
    // them, Zephyr measured 0.6 and 9.4 us at 1 Mbit/s, which have the same sum.

    var rampUp: UInt64 { isFast ? 40 * 64 : 140 * 64 }
    private var isDouble: Bool { mode == .nordic2M || mode == .bluetooth2M }
    /// How long a sending radio takes from the task DISABLE to the event DISABLED, in cycles.
    var sendDisable: UInt64 { isDouble ? 4 * 64 : 6 * 64 }
    /// The delay from the radio to the air while the radio sends, in cycles. The event END comes this long before the packet's
    /// end on the air.
    var sendDelay: UInt64 { isDouble ? 3 * 64 : 4 * 64 }
    /// The delay from the air to the radio while the radio receives, in cycles. The event END comes this long after the
    /// packet's end on the air.
    var receiveDelay: UInt64 { isDouble ? 2 * 64 : 6 * 64 }

    // MARK: Addresses ("Address configuration")

    private var baseBytes: UInt32 { min(max(self[.layout1] >> 16 & 7, 2), 4) }
    private var sendIndex: UInt32 { self[.sendAddress] & 7 }

    private func address(_ index: UInt32) -> UInt64 {
        let base = UInt64(self[index == 0 ? .base0 : .base1] >> (8 * (4 - baseBytes)))
        let prefixes = self[index < 4 ? .prefix0 : .prefix1]
        return base | UInt64(prefixes >> (index % 4 * 8) & 0xFF) << UInt64(8 * baseBytes)
    }

    var sendAddress: UInt64 { address(sendIndex) }

    func logicalAddress(of packet: AirPacket) -> UInt32? {
        guard packet.addressBytes == UInt64(baseBytes + 1) else { return nil }
        return (0..<8).first { self[.receiveAddresses] >> $0 & 1 != 0 && address($0) == packet.address }
    }

    /// The format of packets. Nil if MODE has a reserved value.
    var layout: PacketLayout? {
        guard let mode else { return nil }
        let layout0 = self[.layout0], layout1 = self[.layout1], checkBytes = self[.crc] & 3
        let mask: UInt32 = (1 << (8 * checkBytes)) - 1
        let coding = AirCoding(
            checkBytes: UInt64(checkBytes), polynomial: self[.polynomial] & mask, initial: self[.crcInitial] & mask,
            skipsAddress: self[.crc] >> 8 & 3 != 0, whitening: layout1 >> 25 & 1 != 0 ? self[.whitening] & 0x3F : nil,
            isBigEndian: layout1 >> 24 & 1 != 0)
        return PacketLayout(
            frequency: self[.frequency] & 0x17F, mode: mode, coding: coding, addressBytes: UInt64(baseBytes + 1),
            lengthBits: layout0 & 15, firstBytes: layout0 >> 8 & 1, lastBits: layout0 >> 16 & 15,
            includesLast: layout0 >> 20 & 1 != 0, most: layout1 & 0xFF, fixed: layout1 >> 8 & 0xFF)
    }

    // MARK: Device addresses ("Device address match")

    var matchesDevices: Bool { self[.deviceMatch] & 0xFF != 0 }

    /// Returns the index of the enabled device address that is equal to the first 6 bytes of the payload. The kind of the
    /// address, public or random, must match bit 6 of the header. Nil if no address matches.
    func matchedDevice(_ packet: AirPacket) -> UInt32? {
        guard packet.payload.count >= 6 else { return nil }
        let address = (0..<6).reduce(UInt64(0)) { $0 | UInt64(packet.payload[$1]) << UInt64(8 * $1) }
        return (0..<8).first { index in
            let low = words[Int(0x40 + index)], high = words[Int(0x48 + index)] & 0xFFFF
            return self[.deviceMatch] >> index & 1 != 0 && address == UInt64(high) << 32 | UInt64(low)
                && self[.deviceMatch] >> (8 + index) & 1 == packet.header >> 6 & 1
        }
    }
}

/// The format of packets: frequency, mode and coding on the air, and the fields on the air and in memory. PCNF0 and PCNF1
/// define the fields ("Packet configuration").
struct PacketLayout: Sendable {
    let frequency: UInt32
    let mode: AirMode
    let coding: AirCoding
    let addressBytes: UInt64
    let lengthBits: UInt32
    let firstBytes: UInt32
    let lastBits: UInt32
    /// Whether a packet in memory has a byte for S1 even if the packet on the air has no S1 (S1INCL).
    let includesLast: Bool
    /// `most` is MAXLEN, the maximum length of a payload in bytes. `fixed` is STATLEN, which the radio adds to the length field
    /// to get the length of the payload.
    let most: UInt32
    let fixed: UInt32

    private var headerBits: UInt64 { UInt64(firstBytes * 8 + lengthBits + lastBits) }
    private var hasLast: Bool { includesLast || lastBits > 0 }

    /// How many bytes precede the payload in memory.
    var headerBytes: Int { Int(firstBytes) + (lengthBits > 0 ? 1 : 0) + (hasLast ? 1 : 0) }

    func hears(_ packet: AirPacket) -> Bool { packet.mode == mode && packet.frequency == frequency }

    func findsCRCRight(_ packet: AirPacket) -> Bool {
        coding == packet.coding && headerBits == packet.headerBits && count(packet.header) == packet.payload.count
    }

    private func count(_ header: UInt32) -> Int {
        let length = header >> (8 * firstBytes) & (1 << lengthBits - 1)
        return Int(min(length + fixed, most))
    }

    func emptyPacket(to address: UInt64, start: UInt64) -> AirPacket {
        AirPacket(
            frequency: frequency, mode: mode, address: address, addressBytes: addressBytes, coding: coding, header: 0,
            headerBits: headerBits, payload: [], start: start)
    }

    func readHeader(of packet: inout AirPacket, at pointer: UInt32, _ memory: MemoryMap) {
        var bytes = (memory.dmaBytes(at: pointer, count: headerBytes) ?? [])[...]
        var shift: UInt32 = 0
        for bits in [8 * firstBytes, lengthBits, lastBits] where bits > 0 {
            packet.header |= (UInt32(bytes.popFirst() ?? 0) & (1 << bits - 1)) << shift
            shift += bits
        }
        packet.payload = [UInt8](repeating: 0, count: count(packet.header))
    }

    /// Returns the bytes of a packet that are in memory once the radio has received this many bits after the packet's address.
    func image(of packet: AirPacket, bits: UInt64) -> [UInt8] {
        var image: [UInt8] = []
        var shift: UInt32 = 0
        func add(_ bits: UInt32) {
            image.append(UInt8(truncatingIfNeeded: packet.header >> shift & (1 << bits - 1)))
            shift += bits
        }
        if firstBytes > 0 && bits >= 8 { add(8) }
        guard bits >= headerBits else { return image }
        if lengthBits > 0 { add(lengthBits) }
        if hasLast { add(lastBits) }
        return image + packet.payload.prefix(min(Int(bits - headerBits) / 8, count(packet.header)))
    }
}
