/// The central's side of one connection (Bluetooth Core 5.3, Vol 6, Part B, sections 4.5 and 5.1). It accepts an answer of the
/// peripheral only if the answer begins 148 to 152 us after the end of the central's packet.
struct CentralLink: Sendable {
    static let interFrameSpace: UInt64 = 150 * 64
    /// By how much the interframe space before an answer may deviate from `interFrameSpace`, in cycles: 2 us (section 4.2.1).
    static let jitter: UInt64 = 2 * 64
    /// The unit of connection intervals and transmit windows, in cycles: 1.25 ms.
    static let unit: UInt64 = 80_000
    /// How long a control procedure of the link layer may take, in cycles: 40 s (section 5.2). If it takes longer, the
    /// connection ends.
    private static let procedureTimeout: UInt64 = 40 * 64_000_000

    enum Opcode {
        static let connectionUpdate: UInt8 = 0x00, terminate: UInt8 = 0x02, encryptionRequest: UInt8 = 0x03
        static let encryptionResponse: UInt8 = 0x04, startRequest: UInt8 = 0x05, startResponse: UInt8 = 0x06
        static let unknown: UInt8 = 0x07, features: UInt8 = 0x08, featuresResponse: UInt8 = 0x09
        static let version: UInt8 = 0x0C, reject: UInt8 = 0x0D, peripheralFeatures: UInt8 = 0x0E
        static let parameters: UInt8 = 0x0F, rejectExtended: UInt8 = 0x11, ping: UInt8 = 0x12
        static let pingResponse: UInt8 = 0x13, length: UInt8 = 0x14, lengthResponse: UInt8 = 0x15
    }

    private enum Phase {
        case waits(until: UInt64)
        /// The central's packet ends at cycle `after`. The central waits until cycle `until` for the access address of the
        /// peripheral's answer.
        case expects(after: UInt64, until: UInt64)
        case hears(start: UInt64)
    }

    private struct Fragment {
        let identifier: UInt8
        var payload: [UInt8]
    }

    private enum Encryption {
        case off
        case requested(key: [UInt8], diversifier: [UInt8], vector: [UInt8])
        case agreed(PacketEncryption)
        case starts(PacketEncryption)
        case on(PacketEncryption)

        var packets: PacketEncryption? {
            switch self {
            case .off, .requested, .agreed: nil
            case .starts(let packets), .on(let packets): packets
            }
        }

        /// Whether data must wait, because encryption is starting (section 5.1.3.1).
        var pausesData: Bool {
            switch self {
            case .off, .on: false
            case .requested, .agreed, .starts: true
            }
        }
    }

    private struct Update {
        let instant: UInt16
        let timing: ConnectionTiming
    }

    private enum Ending {
        case no
        /// The central has asked with LL_TERMINATE_IND to end the connection. The peripheral has not acknowledged this yet.
        case asked
        /// The peripheral has asked to end the connection. The central's next packet acknowledges this.
        case acknowledges(reason: UInt8)
    }

    enum News {
        case frame(channel: UInt16, payload: [UInt8])
        case encrypted
        case encryptionFailed(UInt8)
        case ended(UInt8)
    }

    let request: ConnectRequest
    private(set) var timing: ConnectionTiming
    /// The anchor point of the connection event with the number `baseEvent`, in cycles. The link computes later anchor points
    /// from it.
    private var base: UInt64
    private var baseEvent = 0
    private var event = 0
    private var phase: Phase
    private var channel = 0
    private var unmappedChannel = 0
    private var sequence: UInt8 = 0
    private var nextExpected: UInt8 = 0
    private var outgoing: Fragment?
    private var control: [[UInt8]] = []
    private var data: [Fragment] = []
    private var frame: [UInt8] = []
    private var procedures: [[UInt8]]
    private var procedure: (opcode: UInt8, deadline: UInt64)?
    private var sentVersion = false
    private var mostOctets = 27
    private var update: Update?
    private var encryption = Encryption.off
    private var sentCounter: UInt64 = 0
    private var receivedCounter: UInt64 = 0
    private var ending = Ending.no
    private var wasAnswered = false
    private var unanswered = 0
    private var lastValid: UInt64?
    private var drift: Int64 = 0
    private(set) var counts = ConnectionCounts()
    private var news: [News] = []
    private var packets: [AirPacket] = []

    /// - Parameter end: the cycle at which CONNECT_IND ended.
    init(_ request: ConnectRequest, end: UInt64) {
        self.request = request
        timing = request.timing
        // The first packet begins in the middle of the first unit of the transmit window (section 4.5.3).
        base = end + CentralLink.unit * (1 + UInt64(request.windowOffset)) + CentralLink.unit / 2
        phase = .waits(until: base)
        procedures = [
            [Opcode.features] + CentralLink.features, CentralLink.version, [Opcode.length] + CentralLink.lengths,
        ]
    }

    /// The central's features: LE Encryption, Connection Parameters Request, Peripheral-initiated Features Exchange, LE Ping and
    /// Data Packet Length Extension.
    private static let features: [UInt8] = [0x3B, 0, 0, 0, 0, 0, 0, 0]
    /// LL_VERSION_IND: Bluetooth 5.3, and the company number that is reserved for tests.
    private static let version: [UInt8] = [Opcode.version, 0x0C, 0xFF, 0xFF, 0, 0]
    /// The content of LL_LENGTH_REQ and LL_LENGTH_RSP: payloads of at most 251 bytes and packets of at most 2,120 us, in both
    /// directions.
    private static let lengths: [UInt8] = [0xFB, 0x00, 0x48, 0x08, 0xFB, 0x00, 0x48, 0x08]

    var due: UInt64 {
        switch phase {
        case .waits(let until), .expects(_, let until): until
        case .hears: .max
        }
    }

    var isEncrypted: Bool {
        if case .on = encryption { true } else { false }
    }

    mutating func takeNews() -> News? { news.isEmpty ? nil : news.removeFirst() }
    mutating func takePacket() -> AirPacket? { packets.isEmpty ? nil : packets.removeFirst() }

    // MARK: Connection events

    private func anchor(of event: Int) -> UInt64 {
        let elapsed = UInt64(event - baseEvent) * UInt64(timing.interval) * CentralLink.unit
        return UInt64(Int64(base + elapsed) + Int64(elapsed) * drift / 1_000_000)
    }

    mutating func advance(at cycle: UInt64, drift: Int64) {
        if drift != self.drift { (base, baseEvent, self.drift) = (anchor(of: event), event, drift) }
        switch phase {
        case .waits: begin(at: cycle)
        case .expects: close(at: cycle)
        case .hears: break
        }
    }

    private mutating func begin(at cycle: UInt64) {
        if request.usesSecondAlgorithm {
            channel = BluetoothChannel.channel(
                ofEvent: UInt16(truncatingIfNeeded: event), accessAddress: request.accessAddress, map: request.map)
        } else {
            (unmappedChannel, channel) = BluetoothChannel.next(
                after: unmappedChannel, hop: request.hop, map: request.map)
        }
        wasAnswered = false
        send(at: cycle)
    }

    private mutating func send(at start: UInt64) {
        if outgoing == nil { takeOutgoing(at: start) }
        let fragment = outgoing ?? Fragment(identifier: 1, payload: [])
        let header = fragment.identifier | nextExpected << 2 | sequence << 3 | (hasMore ? 0x10 : 0)
        let packet = AirPacket(
            channel: channel, accessAddress: request.accessAddress, crcInit: request.crcInit,
            pdu: [header, UInt8(fragment.payload.count)] + fragment.payload, start: start)
        packets.append(packet)
        let latest = packet.end + CentralLink.interFrameSpace + CentralLink.jitter + 40 * 64
        phase = .expects(after: packet.end, until: latest)
    }

    private var hasMore: Bool { !control.isEmpty || !data.isEmpty && !encryption.pausesData }

    private mutating func takeOutgoing(at cycle: UInt64) {
        if control.isEmpty, procedure == nil, let request = procedures.first {
            procedures.removeFirst()
            control.append(request)
            procedure = (request[0], cycle + CentralLink.procedureTimeout)
            sentVersion = sentVersion || request[0] == Opcode.version
        }
        var fragment = Fragment(identifier: 1, payload: [])
        if !control.isEmpty {
            fragment = Fragment(identifier: 3, payload: control.removeFirst())
        } else if !data.isEmpty && !encryption.pausesData {
            fragment = data.removeFirst()
        }
        if let packets = encryption.packets, !fragment.payload.isEmpty {
            fragment.payload = packets.encrypt(
                fragment.payload, header: fragment.identifier, counter: sentCounter, isFromCentral: true)
            sentCounter += 1
        }
        outgoing = fragment
    }

    /// Accepts `packet` as the peripheral's answer if the packet begins in time. `Central` calls this as soon as the packet's
    /// access address has been sent.
    mutating func hears(_ packet: AirPacket) {
        guard case .expects(let end, _) = phase, packet.address == UInt64(request.accessAddress),
            packet.mode == .bluetooth1M, packet.frequency == BluetoothChannel.frequency(channel)
        else { return }
        let expected = end + CentralLink.interFrameSpace
        if packet.start + CentralLink.jitter >= expected && packet.start <= expected + CentralLink.jitter {
            phase = .hears(start: packet.start)
        }
    }

    mutating func receives(_ packet: AirPacket, isWhole: Bool) {
        guard case .hears(packet.start) = phase else { return }
        guard isWhole, packet.isIntact(channel: channel, crcInit: request.crcInit) else { return close(at: packet.end) }
        wasAnswered = true
        lastValid = packet.end
        let header = packet.pdu[0]
        if header >> 2 & 1 != sequence {
            sequence ^= 1
            outgoing = nil
            if case .asked = ending, control.isEmpty { return end(0x16) }
        }
        if header >> 3 & 1 == nextExpected {
            nextExpected ^= 1
            guard take(packet.payload, header: header) else { return end(0x3D) }
        }
        let next = packet.end + CentralLink.interFrameSpace
        // The longest exchange: two packets of 2,120 us, and the spaces between packets.
        let longest = UInt64(mostOctets == 27 ? 2 * 328 : 2 * 2_120) * 64 + 2 * CentralLink.interFrameSpace
        if case .acknowledges(let reason) = ending {
            send(at: next)
            end(reason)
        } else if (header & 0x10 != 0 || hasMore || outgoing != nil), next + longest < anchor(of: event + 1) {
            send(at: next)
        } else {
            close(at: packet.end)
        }
    }

    private mutating func close(at cycle: UInt64) {
        counts.events += 1
        if wasAnswered {
            unanswered = 0
        } else {
            unanswered += 1
            // A peripheral may leave out as many events as its latency says.
            if unanswered > timing.latency { counts.missed += 1 }
        }
        guard let lastValid else {
            // Without an answer in the first six events, the connection is not established (section 4.5.2).
            return event >= 5 ? end(0x3E) : wait()
        }
        if cycle - lastValid >= UInt64(timing.timeout) * 640_000 { return end(0x08) }
        if let procedure, cycle >= procedure.deadline { return end(0x22) }
        wait()
    }

    private mutating func wait() {
        let next = anchor(of: event + 1)
        event += 1
        if let update, UInt16(truncatingIfNeeded: event) == update.instant {
            // The new transmit window begins at the old anchor, and the packet is in its middle (section 5.1.1).
            (base, baseEvent) = (next + CentralLink.unit / 2, event)
            timing = update.timing
            self.update = nil
            phase = .waits(until: base)
        } else {
            phase = .waits(until: next)
        }
    }

    private mutating func end(_ reason: UInt8) {
        phase = .waits(until: .max)
        news.append(.ended(reason))
    }

    // MARK: Packets

    /// Handles the payload of a packet, and decrypts it first if encryption has started. Returns false if the MIC is wrong.
    private mutating func take(_ bytes: [UInt8], header: UInt8) -> Bool {
        var payload = bytes
        guard !payload.isEmpty else { return true }
        if let packets = encryption.packets {
            let (plain, isAuthentic) = packets.decrypt(
                payload, header: header, counter: receivedCounter, isFromCentral: false)
            guard isAuthentic else { return false }
            receivedCounter += 1
            payload = plain
        }
        switch header & 3 {
        case 3: takeControl(payload)
        case 2:
            frame = payload
            takeFrame()
        case 1:
            frame += payload
            takeFrame()
        case _: break
        }
        return true
    }

    /// Reports the L2CAP frame in `frame` if it is complete. A frame consists of length, channel and payload (Vol 3, Part A,
    /// section 3.1).
    private mutating func takeFrame() {
        guard frame.count >= 4 else { return }
        let count = Int(halfWord(frame))
        guard frame.count >= 4 + count else { return }
        news.append(.frame(channel: halfWord(frame[2...]), payload: Array(frame[4..<4 + count])))
        frame = []
    }

    mutating func send(_ payload: [UInt8], channel: UInt16) {
        let frame = littleEndian(UInt16(payload.count)) + littleEndian(channel) + payload
        for (index, part) in frame.chunked(by: mostOctets).enumerated() {
            data.append(Fragment(identifier: index == 0 ? 2 : 1, payload: Array(part)))
        }
    }

    mutating func change(to timing: ConnectionTiming) {
        guard update == nil else { return }
        let instant = UInt16(truncatingIfNeeded: event + 8 + Int(self.timing.latency))
        update = Update(instant: instant, timing: timing)
        control.append(
            [Opcode.connectionUpdate, 1, 0, 0] + littleEndian(timing.interval) + littleEndian(timing.latency)
                + littleEndian(timing.timeout) + littleEndian(instant))
    }

    mutating func disconnect() {
        ending = .asked
        control.append([Opcode.terminate, 0x13])
    }

    mutating func encrypt(key: [UInt8], _ numbers: inout SeededNumbers) {
        let diversifier = numbers.bytes(8), vector = numbers.bytes(4)
        encryption = .requested(key: key, diversifier: diversifier, vector: vector)
        procedures.insert(
            [Opcode.encryptionRequest] + [UInt8](repeating: 0, count: 10) + diversifier + vector, at: 0)
    }

    private mutating func takeControl(_ payload: [UInt8]) {
        // The fewest bytes of each message (section 2.4.2).
        let counts: [UInt8: Int] = [
            Opcode.terminate: 2, Opcode.encryptionResponse: 13, Opcode.parameters: 24, Opcode.length: 9,
            Opcode.lengthResponse: 9, Opcode.rejectExtended: 3, Opcode.reject: 2, Opcode.unknown: 2,
        ]
        guard let opcode = payload.first, payload.count >= counts[opcode] ?? 1 else { return }
        switch (opcode, encryption) {
        case (Opcode.terminate, _): ending = .acknowledges(reason: payload[1])
        case (Opcode.encryptionResponse, .requested(let key, let diversifier, let vector)):
            let session = AES(key: key).encrypt(Array((diversifier + payload[1..<9]).reversed()))
            encryption = .agreed(PacketEncryption(cipher: AES(key: session), vector: vector + payload[9..<13]))
        case (Opcode.startRequest, .agreed(let packets)):
            encryption = .starts(packets)
            control.append([Opcode.startResponse])
        case (Opcode.startResponse, .starts(let packets)):
            encryption = .on(packets)
            finish(Opcode.encryptionRequest)
            news.append(.encrypted)
        case (Opcode.reject, _): refuse(Opcode.encryptionRequest, reason: payload[1])
        case (Opcode.rejectExtended, _): refuse(payload[1], reason: payload[2])
        case (Opcode.unknown, _): finish(payload[1])
        case (Opcode.featuresResponse, _): finish(Opcode.features)
        case (Opcode.peripheralFeatures, _): control.append([Opcode.featuresResponse] + CentralLink.features)
        case (Opcode.version, _):
            finish(Opcode.version)
            if !sentVersion {
                control.append(CentralLink.version)
                procedures.removeAll { $0.first == Opcode.version }
            }
            sentVersion = true
        case (Opcode.parameters, _): change(to: ConnectionTiming(ofRequest: payload[1...]))
        case (Opcode.ping, _): control.append([Opcode.pingResponse])
        case (Opcode.length, _), (Opcode.lengthResponse, _):
            mostOctets = min(max(Int(halfWord(payload[1...])), 27), 251)
            if opcode == Opcode.length { control.append([Opcode.lengthResponse] + CentralLink.lengths) }
            if opcode == Opcode.lengthResponse { finish(Opcode.length) }
        case _: control.append([Opcode.unknown, opcode])  // any other opcode
        }
    }

    private mutating func finish(_ opcode: UInt8) {
        if procedure?.opcode == opcode { procedure = nil }
    }

    private mutating func refuse(_ opcode: UInt8, reason: UInt8) {
        finish(opcode)
        guard opcode == Opcode.encryptionRequest, encryption.pausesData else { return }
        encryption = .off
        news.append(.encryptionFailed(reason))
    }
}

/// The parameters of a connection: interval in units of 1.25 ms, latency in events, and supervision time-out in units of 10 ms.
package struct ConnectionTiming: Equatable, Sendable {
    package var interval: UInt16 = 24
    package var latency: UInt16 = 0
    package var timeout: UInt16 = 400

    package init() {}

    /// Reads LL_CONNECTION_PARAM_REQ or L2CAP's Connection Parameter Update Request. `bytes` begins with its four parameters:
    /// shortest interval, longest interval, latency, time-out. Chooses the longest interval, and clamps each value to its
    /// allowed range.
    init(ofRequest bytes: ArraySlice<UInt8>) {
        interval = min(max(halfWord(bytes.dropFirst(2)), 6), 3_200)
        latency = min(halfWord(bytes.dropFirst(4)), 499)
        timeout = min(max(halfWord(bytes.dropFirst(6)), 10), 3_200)
    }
}

package struct ConnectionCounts: Equatable, Sendable {
    package var events = 0
    package var missed = 0
}

/// The content of CONNECT_IND (Vol 6, Part B, section 2.3.3.1).
struct ConnectRequest: Equatable, Sendable {
    let central: BluetoothAddress
    let peripheral: BluetoothAddress
    let accessAddress: UInt32
    let crcInit: UInt32
    let windowOffset: UInt16
    let timing: ConnectionTiming
    let map: UInt64
    let hop: Int
    let usesSecondAlgorithm: Bool

    var pdu: [UInt8] {
        let kinds: UInt8 = (central.isRandom ? 0x40 : 0) | (peripheral.isRandom ? 0x80 : 0)
        let addresses = central.bytes + peripheral.bytes
        let link = littleEndian(accessAddress) + littleEndian(crcInit).prefix(3) + [2]
        let times = [windowOffset, timing.interval, timing.latency, timing.timeout].flatMap { littleEndian($0) }
        // 7 stands for a clock accuracy of 0 to 20 ppm.
        let channels = littleEndian(map).prefix(5) + [UInt8(hop) | 7 << 5]
        return [0x05 | (usesSecondAlgorithm ? 0x20 : 0) | kinds, 34] + addresses + link + times + channels
    }

    /// Returns a random access address that follows the rules of section 2.1.2.
    static func accessAddress(_ numbers: inout SeededNumbers) -> UInt32 {
        while true {
            let address = UInt32(truncatingIfNeeded: numbers.next())
            let changes = address ^ address << 1
            let runs = (0..<26).contains { (changes >> ($0 + 1)) & 0x3F == 0 }
            let distance = (address ^ BluetoothChannel.advertisingAddress).nonzeroBitCount
            let bytes = Set(littleEndian(address))
            if !runs, distance > 1, bytes.count > 1, (changes >> 1).nonzeroBitCount <= 24,
                (changes >> 27).nonzeroBitCount >= 2
            {
                return address
            }
        }
    }
}

/// Returns the number in the first two bytes, in little-endian order.
func halfWord(_ bytes: some Collection<UInt8>) -> UInt16 {
    bytes.prefix(2).reversed().reduce(0) { $0 << 8 | UInt16($1) }
}

func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
}
