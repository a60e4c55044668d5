@testable import Emulator

/// A Bluetooth peripheral without firmware, which exchanges packets through an `Air`. It advertises, keeps a
/// connection, and answers the central's GATT and pairing requests.
struct PacketPeripheral {
    static let name = "Test watch"
    let address = BluetoothAddress(bytes: [1, 2, 3, 4, 5, 0xC6], isRandom: true)
    var air = Air(seed: 7)
    var now: UInt64 = 0
    var usesSecondAlgorithm = true
    /// The delay of the peripheral's answers beyond the 150 us after a packet, in cycles of 64 MHz.
    var lateness: Int64 = 0
    var events: [CentralEvent] = []
    /// The payload of the central's CONNECT_IND; nil without a connection.
    var request: [UInt8]?
    var database = TestDatabase()
    var pairing: TestResponder?
    var control: [[UInt8]] = []
    var channels: [Int] = []
    /// The cycle at which the first packet of each connection event began.
    var anchors: [UInt64] = []

    // The state of the connection.
    private var interval: UInt64 = 0
    private var base: UInt64 = 0
    private var counter = 0
    private var baseCounter = 0
    private var unmapped = 0
    private var sequence: UInt8 = 0
    private var nextExpected: UInt8 = 0
    private var queue: [(identifier: UInt8, payload: [UInt8])] = []
    private var unacknowledged: (identifier: UInt8, payload: [UInt8])?
    private var frame: [UInt8] = []
    private var update: (instant: UInt16, interval: UInt64)?
    private var encryption: PacketEncryption?
    private var sends: PacketEncryption?
    private var receives: PacketEncryption?
    private var counts: (sent: UInt64, received: UInt64) = (0, 0)
    var hasEnded = false

    init() throws {
        try air.add(Central(seed: 3))
    }

    mutating func command(_ command: CentralCommand) throws(AirError) { try air.command(command, at: now) }

    mutating func run(events count: Int, until isDone: (CentralEvent) -> Bool = { _ in false }) {
        for _ in 0..<count where !hasEnded {
            if request == nil { advertise() } else { connectionEvent() }
            let new = air.takeCentralEvents()
            events += new
            if new.contains(where: isDone) { return }
        }
    }

    private mutating func transmit(_ packet: AirPacket) {
        air.began(packet)
        air.ended(packet, isWhole: true)
        now = packet.end
    }

    private mutating func hear(
        from start: UInt64, until end: UInt64, where isWanted: (AirPacket) -> Bool
    ) -> AirPacket? {
        while true {
            if let packet = air.packet(since: start, where: isWanted) {
                now = packet.end
                return packet
            }
            guard air.due <= end else { return nil }
            air.advance(to: air.due)
        }
    }

    private mutating func advertise() {
        func send(_ kind: UInt8, _ data: [UInt8], _ channel: Int, at start: UInt64) -> AirPacket {
            let payload = address.bytes + data
            return AirPacket(
                channel: channel, accessAddress: 0x8E89_BED6, crcInit: 0x55_5555,
                pdu: [kind | 0x40 | (usesSecondAlgorithm ? 0x20 : 0), UInt8(payload.count)] + payload, start: start)
        }
        let begin = now + 30 * 64_000
        for channel in 37...39 {
            transmit(send(0, [2, 1, 6], channel, at: max(now, begin) + 64_000))
            let listens = now + 148 * 64
            guard let packet = hear(from: listens, until: now + 160 * 64, where: { $0.start <= listens + 4 * 64 })
            else {
                continue
            }
            if packet.pdu[0] & 15 == 3 {
                let name = Array(Self.name.utf8)
                transmit(send(4, [UInt8(name.count + 1), 9] + name, channel, at: packet.end + 150 * 64))
            } else if packet.pdu[0] & 15 == 5 {
                connect(packet)
                return
            }
        }
    }

    private mutating func connect(_ packet: AirPacket) {
        let data = Array(packet.payload[12...])
        request = packet.payload
        usesSecondAlgorithm = packet.pdu[0] & 0x20 != 0
        interval = UInt64(data[10]) * 80_000
        base = packet.end + 80_000 * (1 + UInt64(data[8]))
    }

    private func word(_ bytes: [UInt8], _ index: Int) -> UInt64 { UInt64(bytes[index]) | UInt64(bytes[index + 1]) << 8 }

    private mutating func connectionEvent() {
        guard let request else { return }
        let data = Array(request[12...])
        let accessAddress = UInt32(word(data, 0) | word(data, 2) << 16)
        let crcInit = UInt32(word(data, 4)) | UInt32(data[6]) << 16
        let map = word(data, 16) | word(data, 18) << 16 | UInt64(data[20]) << 32
        if let update, UInt16(truncatingIfNeeded: counter) == update.instant {
            base += UInt64(counter - baseCounter) * interval
            (baseCounter, interval, self.update) = (counter, update.interval, nil)
        }
        var channel = BluetoothChannel.channel(
            ofEvent: UInt16(truncatingIfNeeded: counter), accessAddress: accessAddress, map: map)
        if !usesSecondAlgorithm {
            (unmapped, channel) = BluetoothChannel.next(after: unmapped, hop: Int(data[21] & 31), map: map)
        }
        channels.append(channel)
        let window = base + UInt64(counter - baseCounter) * interval
        counter += 1
        // The transmit window, widened before and after.
        var from = window - 20_000, until = window + 160_000
        var isFirst = true
        while let packet = hear(
            from: from, until: until,
            where: {
                $0.address == UInt64(accessAddress) && $0.frequency == BluetoothChannel.frequency(channel)
                    && $0.start <= until
            })
        {
            if isFirst {
                anchors.append(packet.start)
                if counter == 1 { base = packet.start }
            }
            isFirst = false
            take(packet)
            let fragment = unacknowledged ?? next()
            unacknowledged = fragment
            let header = fragment.identifier | nextExpected << 2 | sequence << 3 | (queue.isEmpty ? 0 : 0x10)
            let start = UInt64(Int64(packet.end + 150 * 64) + lateness)
            transmit(
                AirPacket(
                    channel: channel, accessAddress: accessAddress, crcInit: crcInit,
                    pdu: [header, UInt8(fragment.payload.count)] + fragment.payload, start: start))
            (from, until) = (now + 140 * 64, now + 160 * 64)
        }
        if anchors.count < counter { now = until }
        while air.due <= now { air.advance(to: air.due) }
    }

    private mutating func next() -> (identifier: UInt8, payload: [UInt8]) {
        guard !queue.isEmpty else { return (1, []) }
        var fragment = queue.removeFirst()
        if let sends {
            fragment.payload = sends.encrypt(
                fragment.payload, header: fragment.identifier, counter: counts.sent, isFromCentral: false)
            counts.sent += 1
        }
        return fragment
    }

    private mutating func take(_ packet: AirPacket) {
        let header = packet.pdu[0]
        if header >> 2 & 1 != sequence {
            sequence ^= 1
            unacknowledged = nil
        }
        guard header >> 3 & 1 == nextExpected else { return }
        nextExpected ^= 1
        var payload = packet.payload
        guard !payload.isEmpty else { return }
        if let receives {
            payload = receives.decrypt(payload, header: header, counter: counts.received, isFromCentral: true).plain
            counts.received += 1
        }
        switch header & 3 {
        case 3: takeControl(payload)
        case 2: frame = payload
        case _: frame += payload
        }
        guard header & 3 != 3, frame.count >= 4, frame.count >= 4 + Int(word(frame, 0)) else { return }
        let body = Array(frame[4...])
        switch word(frame, 2) {
        case 4: for answer in database.answers(body) { send(answer, channel: 4) }
        case 6: for answer in pairing?.answers(body) ?? [] { send(answer, channel: 6) }
        case _: break
        }
        frame = []
    }

    mutating func send(_ payload: [UInt8], channel: UInt16) {
        let frame = littleEndian(UInt16(payload.count)) + littleEndian(channel) + payload
        for (index, part) in frame.chunked(by: 27).enumerated() { queue.append((index == 0 ? 2 : 1, Array(part))) }
    }

    mutating func sendControl(_ payload: [UInt8]) { queue.append((3, payload)) }

    private mutating func takeControl(_ payload: [UInt8]) {
        control.append(payload)
        switch payload[0] {
        case 0x00: update = (UInt16(word(payload, 10)), word(payload, 4) * 80_000)
        case 0x02: hasEnded = true
        case 0x03:
            let key = Array(payload[11..<19]) + [9, 9, 9, 9, 9, 9, 9, 9]
            let session = AES(key: pairing?.longTermKey ?? []).encrypt(Array(key.reversed()))
            encryption = PacketEncryption(cipher: AES(key: session), vector: Array(payload[19..<23]) + [5, 6, 7, 8])
            receives = encryption
            sendControl([0x04, 9, 9, 9, 9, 9, 9, 9, 9, 5, 6, 7, 8])
            sendControl([0x05])
        case 0x06:
            sends = encryption
            sendControl([0x06])
        case 0x08: sendControl([0x09, 0, 0, 0, 0, 0, 0, 0, 0])
        case 0x0C: sendControl([0x0C, 0x0C, 0xFF, 0xFF, 0, 0])
        case 0x14: sendControl([0x07, 0x14])
        case _: break
        }
    }
}

/// A GATT server with two services: the battery service, and a service with a 128-bit UUID and a value of 60 bytes.
struct TestDatabase {
    static let long = AttributeUUID("00001530-1212-EFDE-1523-785FEABCDE12")
    var level: [UInt8] = [87]
    let text = (0..<60).map { UInt8($0) }
    var subscription: [UInt8] = [0, 0]
    var written: [[UInt8]] = []

    mutating func answers(_ pdu: [UInt8]) -> [[UInt8]] {
        func handle(_ index: Int) -> Int { Int(pdu[index]) | Int(pdu[index + 1]) << 8 }
        func notFound(_ code: UInt8 = 0x0A) -> [[UInt8]] { [[0x01, pdu[0], pdu[1], pdu[2], code]] }
        let long = Self.long?.bytes ?? []
        switch pdu[0] {
        case 0x02: return [[0x03, 23, 0]]
        case 0x10:
            switch handle(1) {
            case 1: return [[0x11, 6, 1, 0, 4, 0, 0x0F, 0x18]]
            case 2...5: return [[0x11, 20, 5, 0, 7, 0] + long]
            case _: return notFound()
            }
        case 0x08:
            switch handle(1) {
            case 1...2: return [[0x09, 7, 2, 0, 0x12, 3, 0, 0x19, 0x2A]]
            case 5...6: return [[0x09, 21, 6, 0, 0x0A, 7, 0] + long]
            case _: return notFound()
            }
        case 0x04: return handle(1) == 4 ? [[0x05, 1, 4, 0, 0x02, 0x29]] : notFound()
        case 0x0A: return handle(1) == 3 ? [[0x0B] + level] : handle(1) == 7 ? [[0x0B] + text[..<22]] : notFound(0x01)
        case 0x0C: return [[0x0D] + text[handle(3)...].prefix(22)]
        case 0x12:
            if handle(1) == 4 { subscription = Array(pdu[3...]) }
            written.append(pdu)
            return [[0x13]]
        case 0x52: written.append(pdu)
        case _: break
        }
        return []
    }
}

/// The responder of LE Secure Connections pairing.
struct TestResponder {
    let central: BluetoothAddress
    let peripheral: BluetoothAddress
    /// The IO capability: 1 (DisplayYesNo) allows numeric comparison, 3 (NoInputNoOutput) does not.
    var capability: UInt8 = 1
    var number: Int?
    var longTermKey: [UInt8]?
    private var request: [UInt8] = []
    private var peerX: [UInt8] = [], shared: [UInt8] = [], peerRandom: [UInt8] = []
    private let secret = (1...32).map { UInt8($0) }
    private let random = (1...16).map { UInt8($0 * 3) }

    init(central: BluetoothAddress, peripheral: BluetoothAddress) {
        (self.central, self.peripheral) = (central, peripheral)
    }

    mutating func answers(_ pdu: [UInt8]) -> [[UInt8]] {
        let body = Array(pdu[1...])
        let response: [UInt8] = [capability, 0, 0x0D, 16, 0, 0]
        guard let own = PrimeCurve.publicKey(of: secret) else { return [] }
        let ownX = own.x
        switch pdu[0] {
        case 0x01:
            request = body
            return [[0x02] + response]
        case 0x0C:
            peerX = body[..<32].reversed()
            shared = PrimeCurve.multiply(secret, (peerX, body[32...].reversed()))?.x ?? []
            let confirm = PairingFunctions.f4(ownX, peerX, random, 0)
            return [[0x0C] + ownX.reversed() + own.y.reversed(), [0x03] + confirm.reversed()]
        case 0x04:
            peerRandom = body.reversed()
            number = PairingFunctions.g2(peerX, ownX, peerRandom, random)
            return [[0x04] + random.reversed()]
        case 0x0D:
            let (a, b) = (central.forPairing, peripheral.forPairing), zeros = [UInt8](repeating: 0, count: 16)
            let keys = PairingFunctions.f5(shared, peerRandom, random, a, b)
            let theirs = PairingFunctions.f6(keys.check, peerRandom, random, zeros, request[..<3].reversed(), a, b)
            guard theirs == body.reversed() else { return [[0x05, 0x0B]] }
            longTermKey = keys.longTerm
            return [
                [0x0D]
                    + PairingFunctions.f6(keys.check, random, peerRandom, zeros, response[..<3].reversed(), b, a)
                    .reversed()
            ]
        case _: return []
        }
    }
}
