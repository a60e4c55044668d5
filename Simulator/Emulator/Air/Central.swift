package struct BluetoothAddress: Hashable, Sendable, CustomStringConvertible {
    /// The 6 bytes of the address, the least significant first.
    let bytes: [UInt8]
    let isRandom: Bool

    package var description: String { bytes.reversed().map(twoDigits).joined(separator: ":") }

    /// The 7 bytes that `PairingFunctions` take. The first byte is 1 if the address is random, and 0 if the address is public.
    /// The other 6 bytes are the address, the most significant byte first.
    var forPairing: [UInt8] { [isRandom ? 1 : 0] + bytes.reversed() }
}

extension BluetoothAddress {
    /// - Parameter text: an address such as `C0:FF:EE:00:00:01`. Any other text gives nil.
    init?(_ text: String, isRandom: Bool) {
        let bytes = text.split(separator: ":").map { $0.count == 2 ? UInt8($0, radix: 16) : nil }
        guard bytes.count == 6, !bytes.contains(nil) else { return nil }
        self.init(bytes: bytes.reversed().compactMap(\.self), isRandom: isRandom)
    }
}

func twoDigits(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return byte < 16 ? "0" + text : text
}

package enum CentralCommand: Equatable, Sendable {
    case scan
    case connect(BluetoothAddress)
    /// Connects to the first peripheral that has this name.
    case connectTo(name: String)
    case discover
    case read(AttributeTarget)
    case write(AttributeTarget, [UInt8], awaitsResponse: Bool)
    case subscribe(AttributeTarget)
    case pair
    /// Answers `CentralEvent.comparison`: whether both devices show the same number. If false, pairing fails.
    case confirm(Bool)
    case disconnect
}

package enum CentralEvent: Equatable, Sendable {
    case found(BluetoothAddress, name: String?, strength: Int)
    case connected(BluetoothAddress)
    case services([CentralService])
    case value(handle: UInt16, [UInt8])
    case written(handle: UInt16)
    /// The peripheral answered a read or a write with this error code (Bluetooth Core 5.3, Vol 3, Part F, section 3.4.1.1).
    case refused(handle: UInt16, code: UInt8)
    case notification(handle: UInt16, [UInt8])
    case indication(handle: UInt16, [UInt8])
    /// Pairing waits for the command `confirm`. The person compares this number, 0 to 999,999, with the number on the
    /// peripheral's screen.
    case comparison(Int)
    case encrypted
    /// Pairing failed for a reason of the security manager (Vol 3, Part H, section 3.5.5). Or the peripheral refused to start
    /// encryption: the reason is then 0, and the central has deleted its bond with the peripheral, if it had one.
    case pairingFailed(reason: UInt8)
    /// The connection ended. The reason is an error code of the controller (Vol 1, Part F, section 1.3).
    case disconnected(reason: UInt8)
}

/// The emulator's own Bluetooth central: a radio with link layer, L2CAP, a client of the attribute protocol, and pairing. Its
/// clock is exact unless `AirFaults.centralDrift` changes its speed. The central ignores an answer that begins more than 2 us
/// too early or too late.
package struct Central: Sendable {
    private enum Activity {
        case rests
        case scans(Scanner)
        case connected(CentralLink)
    }

    private static let attributes: UInt16 = 4, signalling: UInt16 = 5, security: UInt16 = 6

    package let address: BluetoothAddress
    /// The connection parameters that the central puts into its next CONNECT_IND.
    package var timing = ConnectionTiming()
    /// The data channels of the next connection: bit n is channel n.
    package var channelMap: UInt64 = 0x1F_FFFF_FFFF
    private var activity = Activity.rests
    private var client = AttributeClient()
    private var pairing: Pairing?
    private var bonds: [BluetoothAddress: [UInt8]] = [:]
    private var numbers: SeededNumbers
    private var events: [CentralEvent] = []
    private var packets: [AirPacket] = []
    /// Counts the events of the newest connection, even after the connection has ended. `missed` counts the events without an
    /// answer from the peripheral, except unanswered events that the connection's latency permits.
    package private(set) var counts = ConnectionCounts()

    package init(seed: UInt64 = 1) {
        numbers = SeededNumbers(seed: seed)
        // The highest two bits of a static random address are 1 (Vol 6, Part B, section 1.3.2.1).
        var bytes = numbers.bytes(6)
        bytes[5] |= 0xC0
        address = BluetoothAddress(bytes: bytes, isRandom: true)
    }

    package var connectionTiming: ConnectionTiming? {
        if case .connected(let link) = activity { link.timing } else { nil }
    }

    var due: UInt64 {
        if case .connected(let link) = activity { link.due } else { .max }
    }

    mutating func takeEvents() -> [CentralEvent] {
        defer { events = [] }
        return events
    }

    mutating func takePacket() -> AirPacket? { packets.isEmpty ? nil : packets.removeFirst() }

    mutating func perform(_ command: CentralCommand, at cycle: UInt64) throws(AirError) {
        switch (command, activity) {
        case (.scan, .rests), (.scan, .scans): activity = .scans(Scanner(goal: .report))
        case (.connect(let address), .rests), (.connect(let address), .scans):
            activity = .scans(Scanner(goal: .connect(address)))
        case (.connectTo(let name), .rests), (.connectTo(let name), .scans):
            activity = .scans(Scanner(goal: .connectTo(name: name)))
        case (.disconnect, .scans): activity = .rests
        case (.disconnect, .connected(var link)):
            link.disconnect()
            settle(link)
        case (.discover, .connected(let link)):
            client.discover()
            settle(link)
        case (.read(let target), .connected(let link)):
            try client.read(target)
            settle(link)
        case (.write(let target, let bytes, let awaitsResponse), .connected(let link)):
            try client.write(target, bytes, awaitsResponse: awaitsResponse)
            settle(link)
        case (.subscribe(let target), .connected(let link)):
            try client.subscribe(target)
            settle(link)
        case (.pair, .connected(var link)):
            guard pairing == nil, !link.isEncrypted else { throw .unexpectedCommand }
            if let key = bonds[link.request.peripheral] {
                link.encrypt(key: key, &numbers)
            } else {
                pairing = Pairing(central: address, peripheral: link.request.peripheral, &numbers)
            }
            settle(link)
        case (.confirm(let isEqual), .connected(let link)):
            guard pairing?.confirm(isEqual) == true else { throw .unexpectedCommand }
            settle(link)
        case (.scan, .connected), (.connect, .connected), (.connectTo, .connected), (.disconnect, .rests),
            (.discover, _), (.read, _), (.write, _), (.subscribe, _), (.pair, _), (.confirm, _):
            throw .unexpectedCommand
        }
    }

    mutating func advance(at cycle: UInt64, drift: Int64) {
        guard case .connected(var link) = activity else { return }
        link.advance(at: cycle, drift: drift)
        settle(link)
    }

    mutating func hears(_ packet: AirPacket) {
        guard case .connected(var link) = activity else { return }
        link.hears(packet)
        activity = .connected(link)
    }

    mutating func receives(_ packet: AirPacket, isWhole: Bool, strength: Int) {
        switch activity {
        case .rests: break
        case .scans(var scanner):
            guard isWhole, let action = scanner.receives(packet, strength: strength, from: address) else {
                activity = .scans(scanner)
                break
            }
            perform(action, scanner, after: packet)
        case .connected(var link):
            link.receives(packet, isWhole: isWhole)
            settle(link)
        }
        if case .scans(var scanner) = activity {
            events += scanner.takeFound()
            activity = .scans(scanner)
        }
    }

    private mutating func perform(_ action: Scanner.Action, _ scanner: Scanner, after packet: AirPacket) {
        switch action {
        case .send(let request):
            packets.append(request)
            activity = .scans(scanner)
        case .connect(let peripheral, let channel, let supportsSecondAlgorithm):
            let request = ConnectRequest(
                central: address, peripheral: peripheral, accessAddress: ConnectRequest.accessAddress(&numbers),
                crcInit: UInt32(numbers.next() & 0xFF_FFFF), windowOffset: 3, timing: timing, map: channelMap,
                hop: Int(5 + numbers.next() % 12), usesSecondAlgorithm: supportsSecondAlgorithm)
            let start = packet.end + CentralLink.interFrameSpace
            let connect = AirPacket(
                channel: channel, accessAddress: BluetoothChannel.advertisingAddress,
                crcInit: BluetoothChannel.advertisingCRC, pdu: request.pdu, start: start)
            packets.append(connect)
            (client, pairing, counts) = (AttributeClient(), nil, ConnectionCounts())
            events.append(.connected(peripheral))
            activity = .connected(CentralLink(request, end: connect.end))
        }
    }

    /// Stores the changed link. The layers above the link get its received frames. The link gets the frames that these layers
    /// send.
    private mutating func settle(_ settled: CentralLink) {
        var link = settled
        while let packet = link.takePacket() { packets.append(packet) }
        counts = link.counts
        activity = .connected(link)
        while let news = link.takeNews() {
            switch news {
            case .frame(Central.attributes, let payload): client.receives(payload)
            case .frame(Central.signalling, let payload): signal(payload, &link)
            case .frame(Central.security, let payload): pairing?.receives(payload)
            case .frame(channel: _, payload: _): break
            case .encrypted:
                if let key = pairing?.key { bonds[link.request.peripheral] = key }
                pairing = nil
                events.append(.encrypted)
            case .encryptionFailed:
                bonds[link.request.peripheral] = nil
                pairing = nil
                events.append(.pairingFailed(reason: 0))
            case .ended(let reason):
                activity = .rests
                pairing = nil
                events += client.takeEvents()
                return events.append(.disconnected(reason: reason))
            }
        }
        events += client.takeEvents()
        while let pdu = client.takeOutgoing() { link.send(pdu, channel: Central.attributes) }
        while let action = pairing?.takeAction() {
            switch action {
            case .send(let pdu): link.send(pdu, channel: Central.security)
            case .compare(let number): events.append(.comparison(number))
            case .encrypt(let key): link.encrypt(key: key, &numbers)
            case .fail(let reason):
                pairing = nil
                events.append(.pairingFailed(reason: reason))
            }
        }
        activity = .connected(link)
    }

    /// Answers a command on the LE signalling channel (Vol 3, Part A, section 4). Accepts every request to update the
    /// connection parameters, and rejects every other request.
    private mutating func signal(_ payload: [UInt8], _ link: inout CentralLink) {
        guard payload.count >= 4 else { return }
        if payload[0] == 0x12, payload.count >= 12 {
            link.send([0x13, payload[1], 2, 0, 0, 0], channel: Central.signalling)
            link.change(to: ConnectionTiming(ofRequest: payload[4...]))
        } else if payload[0] != 0x01 {
            link.send([0x01, payload[1], 2, 0, 0, 0], channel: Central.signalling)
        }
    }
}

/// The state of a central that scans. It listens to the advertising channels 37, 38 and 39 in turn, for 100 ms each.
struct Scanner: Sendable {
    enum Goal {
        case report
        case connect(BluetoothAddress)
        case connectTo(name: String)
    }

    enum Action {
        case send(AirPacket)
        case connect(BluetoothAddress, channel: Int, supportsSecondAlgorithm: Bool)
    }

    private static let window: UInt64 = 6_400_000

    let goal: Goal
    private var names: [BluetoothAddress: String] = [:]
    private var reported: Set<BluetoothAddress> = []
    private var answered: Set<BluetoothAddress> = []
    /// The cycle at which the central's last SCAN_REQ ends. 0 if it has sent none.
    private var requestEnd: UInt64 = 0
    private var found: [CentralEvent] = []

    init(goal: Goal) { self.goal = goal }

    mutating func takeFound() -> [CentralEvent] {
        defer { found = [] }
        return found
    }

    /// Handles a packet on an advertising channel (Vol 6, Part B, section 2.3). Returns the central's answer, or nil if it
    /// does not answer.
    mutating func receives(_ packet: AirPacket, strength: Int, from central: BluetoothAddress) -> Action? {
        let channel = 37 + Int(packet.start / Scanner.window % 3)
        guard packet.frequency == BluetoothChannel.frequency(channel), packet.mode == .bluetooth1M,
            packet.address == UInt64(BluetoothChannel.advertisingAddress),
            packet.isIntact(channel: channel, crcInit: BluetoothChannel.advertisingCRC), packet.payload.count >= 6
        else { return nil }
        let header = packet.pdu[0], kind = header & 15
        let address = BluetoothAddress(bytes: Array(packet.payload[..<6]), isRandom: header & 0x40 != 0)
        let expected = requestEnd + CentralLink.interFrameSpace
        switch kind {
        // ADV_IND, ADV_NONCONN_IND, ADV_SCAN_IND.
        case 0, 2, 6: note(address, packet.payload[6...], strength)
        // SCAN_RSP.
        case 4 where packet.start + CentralLink.jitter >= expected && packet.start <= expected + CentralLink.jitter:
            answered.insert(address)
            note(address, packet.payload[6...], strength)
            return nil
        case _: break
        }
        // ADV_DIRECT_IND names the central that may connect.
        let wantsOther = kind == 1 && packet.payload[6...] != central.bytes[...]
        if kind <= 1 && !wantsOther && isWanted(address) {
            return .connect(address, channel: channel, supportsSecondAlgorithm: header & 0x20 != 0)
        }
        guard kind == 0 || kind == 6, !answered.contains(address) else { return nil }
        let kinds: UInt8 = (central.isRandom ? 0x40 : 0) | (address.isRandom ? 0x80 : 0)
        let request = AirPacket(
            channel: channel, accessAddress: BluetoothChannel.advertisingAddress,
            crcInit: BluetoothChannel.advertisingCRC, pdu: [0x03 | kinds, 12] + central.bytes + address.bytes,
            start: packet.end + CentralLink.interFrameSpace)
        requestEnd = request.end
        return .send(request)
    }

    private func isWanted(_ address: BluetoothAddress) -> Bool {
        switch goal {
        case .report: false
        case .connect(let wanted): address == wanted
        case .connectTo(let name): names[address] == name
        }
    }

    private mutating func note(_ address: BluetoothAddress, _ data: ArraySlice<UInt8>, _ strength: Int) {
        let isNamed = names[address] != nil
        names[address] = Scanner.name(in: data) ?? names[address]
        if reported.insert(address).inserted || names[address] != nil && !isNamed {
            found.append(.found(address, name: names[address], strength: strength))
        }
    }

    /// Returns the first shortened or complete local name in advertising data (Core Specification Supplement, Part A, section
    /// 1.2). Nil if there is none.
    private static func name(in data: ArraySlice<UInt8>) -> String? {
        var rest = data
        while let count = rest.popFirst().map(Int.init), count > 0, rest.count >= count {
            let field = rest.prefix(count)
            if field.first == 0x08 || field.first == 0x09 { return String(decoding: field.dropFirst(), as: UTF8.self) }
            rest = rest.dropFirst(count)
        }
        return nil
    }
}
