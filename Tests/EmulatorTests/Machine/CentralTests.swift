import Testing

@testable import Emulator

/// The emulator's built-in central, tested with a `PacketPeripheral`. Rules, layouts and section numbers are from
/// Bluetooth Core 5.3, Vol 6, Part B.
struct CentralTests {
    private func connected(_ change: (inout PacketPeripheral) -> Void = { _ in }) throws -> PacketPeripheral {
        var bench = try PacketPeripheral()
        change(&bench)
        try bench.command(.connectTo(name: PacketPeripheral.name))
        bench.run(events: 20) { if case .connected = $0 { true } else { false } }
        #expect(bench.events.last == .connected(bench.address))
        return bench
    }

    @Test("a scan asks for the name, and reports a peripheral when it is first heard and when its name is known")
    func scan() throws {
        var bench = try PacketPeripheral()
        try bench.command(.scan)
        bench.run(events: 10)
        #expect(
            bench.events == [
                .found(bench.address, name: nil, strength: -60),
                .found(bench.address, name: PacketPeripheral.name, strength: -60),
            ])
        #expect(bench.address.description == "C6:05:04:03:02:01")
        #expect(BluetoothAddress("C6:05:04:03:02:01", isRandom: true) == bench.address)
    }

    @Test("CONNECT_IND has the fields of section 2.3.3.1")
    func connectRequest() {
        let request = ConnectRequest(
            central: BluetoothAddress(bytes: [1, 2, 3, 4, 5, 6], isRandom: true),
            peripheral: BluetoothAddress(bytes: [7, 8, 9, 10, 11, 12], isRandom: false), accessAddress: 0x4433_2211,
            crcInit: 0x77_6655, windowOffset: 3, timing: ConnectionTiming(), map: 0x1F_FFFF_FFFE, hop: 9,
            usesSecondAlgorithm: true)
        #expect(
            request.pdu == [
                0x65, 34, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 2, 3, 0, 24,
                0,
                0, 0, 0x90, 0x01, 0xFE, 0xFF, 0xFF, 0xFF, 0x1F, 0xE9,
            ])
    }

    @Test(
        "a connection has 1,000 events at their intervals without a miss, by both algorithms and with a slow clock",
        arguments: [true, false])
    func thousandEvents(usesSecondAlgorithm: Bool) throws {
        var bench = try connected {
            $0.usesSecondAlgorithm = usesSecondAlgorithm
            $0.air.faults.centralDrift = usesSecondAlgorithm ? 0 : 50
        }
        bench.run(events: 1_000)
        let counts = try #require(bench.air.central?.counts)
        #expect(counts == ConnectionCounts(events: 1_000, missed: 0))
        #expect(Set(bench.channels).count == 37)
        let span = bench.anchors[999] - bench.anchors[0]
        let exact: UInt64 = 999 * 30 * 64_000
        #expect(span == (usesSecondAlgorithm ? exact : exact + exact * 50 / 1_000_000))
    }

    @Test(
        "an answer is heard 150 us after the packet, give or take 2 us, and else missed",
        arguments: [(-129, 20), (-128, 0), (0, 0), (128, 0), (129, 20)])
    func deadline(lateness: Int64, missed: Int) throws {
        var bench = try connected()
        bench.run(events: 10)
        bench.lateness = lateness
        bench.run(events: 20)
        #expect(bench.air.central?.counts == ConnectionCounts(events: 30, missed: missed))
    }

    @Test("lost packets are repeated, and the data arrives")
    func losses() throws {
        var bench = try connected()
        bench.run(events: 2)
        bench.air.faults.lossPerMillion = 200_000
        try bench.command(.discover)
        bench.run(events: 400) { if case .services = $0 { true } else { false } }
        guard case .services(let services) = bench.events.last else {
            Issue.record("no services")
            return
        }
        #expect(services.count == 2)
        #expect((bench.air.central?.counts.missed ?? 0) > 0)
    }

    @Test("the central discovers, reads short and long values, writes, and receives notifications")
    func attributes() throws {
        var bench = try connected()
        try bench.command(.discover)
        bench.run(events: 100) { if case .services = $0 { true } else { false } }
        guard case .services(let services) = bench.events.last else {
            Issue.record("no services")
            return
        }
        #expect(services.map(\.handles) == [1...4, 5...7])
        #expect(services[0].characteristics.map(\.handle) == [3])
        #expect(services[0].characteristics[0].descriptors.map(\.uuid) == [AttributeUUID(0x2902)])
        #expect(services[1].uuid.description == "00001530-1212-EFDE-1523-785FEABCDE12")
        #expect(services[1].characteristics[0].uuid == TestDatabase.long)

        bench.events = []
        let level = AttributeTarget.uuid(AttributeUUID(0x2A19))
        try bench.command(.read(level))
        try bench.command(.read(.handle(7)))
        try bench.command(.read(.handle(9)))
        try bench.command(.subscribe(level))
        try bench.command(.write(.handle(7), [1, 2], awaitsResponse: true))
        try bench.command(.write(.handle(7), [3], awaitsResponse: false))
        bench.run(events: 30)
        #expect(
            bench.events == [
                .value(handle: 3, [87]), .value(handle: 7, bench.database.text), .refused(handle: 9, code: 1),
                .written(handle: 4), .written(handle: 7),
            ])
        #expect(bench.database.subscription == [1, 0])
        #expect(bench.database.written.contains([0x52, 7, 0, 3]))
        bench.send([0x1B, 3, 0, 86], channel: 4)
        bench.run(events: 3)
        #expect(bench.events.last == .notification(handle: 3, [86]))
        #expect(throws: AirError.unknownAttribute) {
            try bench.command(.read(.uuid(AttributeUUID(0x2A00))))
        }
        #expect(throws: AirError.valueTooLong) {
            try bench.command(.write(.handle(7), [UInt8](repeating: 0, count: 21), awaitsResponse: true))
        }
        #expect(bench.air.central?.counts.missed == 0)
    }

    @Test("both sides show the same number, and after its confirmation the link is encrypted and carries data")
    func comparison() throws {
        var bench = try connected()
        bench.pairing = TestResponder(central: try #require(bench.air.central?.address), peripheral: bench.address)
        try bench.command(.pair)
        bench.run(events: 50) { if case .comparison = $0 { true } else { false } }
        let number = try #require(bench.pairing?.number)
        #expect(bench.events.last == .comparison(number))
        try bench.command(.confirm(true))
        bench.run(events: 50) { $0 == .encrypted }
        #expect(bench.events.last == .encrypted)
        try bench.command(.read(.handle(3)))
        bench.run(events: 10)
        #expect(bench.events.last == .value(handle: 3, [87]))
        #expect(bench.air.central?.counts.missed == 0)
    }

    @Test("a peripheral without display and keys is paired without a comparison")
    func justWorks() throws {
        var bench = try connected()
        bench.pairing = TestResponder(central: try #require(bench.air.central?.address), peripheral: bench.address)
        bench.pairing?.capability = 3
        try bench.command(.pair)
        bench.run(events: 50) { $0 == .encrypted }
        #expect(bench.events.last == .encrypted)
    }

    @Test("a number that differs ends the pairing with reason 0x0C")
    func otherNumber() throws {
        var bench = try connected()
        bench.pairing = TestResponder(central: try #require(bench.air.central?.address), peripheral: bench.address)
        try bench.command(.pair)
        bench.run(events: 50) { if case .comparison = $0 { true } else { false } }
        try bench.command(.confirm(false))
        bench.run(events: 2)
        #expect(bench.events.last == .pairingFailed(reason: 0x0C))
        #expect(throws: AirError.unexpectedCommand) { try bench.command(.confirm(true)) }
    }

    @Test("a peripheral that is out of range is lost after the supervision time-out of 4 s")
    func supervision() throws {
        var bench = try connected()
        bench.run(events: 10)
        let last = bench.now
        bench.air.faults.isInRange = false
        while bench.events.last != .disconnected(reason: 0x08), bench.now < last + 6 * 64_000_000 {
            bench.run(events: 1)
        }
        #expect(bench.events.last == .disconnected(reason: 0x08))
        let wait = bench.now - last
        #expect(wait >= 4 * 64_000_000 && wait < 4_100 * 64_000)
    }

    @Test("a connection that no event establishes ends with reason 0x3E")
    func notEstablished() throws {
        var bench = try connected()
        bench.lateness = 1_000
        bench.run(events: 8)
        #expect(bench.events.last == .disconnected(reason: 0x3E))
        #expect(bench.air.central?.counts == ConnectionCounts(events: 6, missed: 6))
    }

    @Test(
        "a request for other parameters over L2CAP or the link layer takes effect at its instant",
        arguments: [true, false])
    func parameters(isFrame: Bool) throws {
        var bench = try connected()
        bench.run(events: 10)
        let fields: [UInt8] = [40, 0, 80, 0, 0, 0, 200, 0]
        if isFrame {
            bench.send([0x12, 1, 8, 0] + fields, channel: 5)
        } else {
            bench.sendControl([0x0F] + fields + [UInt8](repeating: 0xFF, count: 15))
        }
        bench.run(events: 30)
        #expect(bench.air.central?.connectionTiming?.interval == 80)
        #expect(bench.air.central?.counts == ConnectionCounts(events: 40, missed: 0))
        #expect(bench.anchors[39] - bench.anchors[38] == 80 * 80_000)
    }

    @Test("the central ends the connection, and so does the peripheral")
    func endings() throws {
        var bench = try connected()
        bench.run(events: 5)
        try bench.command(.disconnect)
        bench.run(events: 3)
        #expect(bench.events.last == .disconnected(reason: 0x16))
        #expect(bench.control.last == [0x02, 0x13])
        bench = try connected()
        bench.sendControl([0x02, 0x13])
        bench.run(events: 5)
        #expect(bench.events.last == .disconnected(reason: 0x13))
    }

    @Test("LL_PHY_REQ gets LL_UNKNOWN_RSP, LL_LENGTH_REQ its answer")
    func control() throws {
        var bench = try connected()
        bench.run(events: 5)
        bench.sendControl([0x16, 2, 2])
        bench.sendControl([0x14, 0xFB, 0, 0x48, 0x08, 0xFB, 0, 0x48, 0x08])
        bench.run(events: 5)
        #expect(bench.control.suffix(2) == [[0x07, 0x16], [0x15, 0xFB, 0, 0x48, 0x08, 0xFB, 0, 0x48, 0x08]])
        #expect(Array(bench.control.prefix(3).map(\.[0])) == [0x08, 0x0C, 0x14])
    }

    @Test("the air refuses a second central, and a central refuses a command that does not fit")
    func refusals() throws {
        var bench = try PacketPeripheral()
        #expect(throws: AirError.secondCentral) { try bench.air.add(Central()) }
        #expect(throws: AirError.unexpectedCommand) { try bench.command(.discover) }
        #expect(throws: AirError.unexpectedCommand) { try bench.command(.disconnect) }
    }

    @Test("a copy of the air continues as the original does")
    func copies() throws {
        var bench = try connected { $0.air.faults.lossPerMillion = 100_000 }
        bench.run(events: 20)
        var copy = bench
        bench.run(events: 50)
        copy.run(events: 50)
        #expect(bench.anchors == copy.anchors)
        #expect(bench.air.central?.counts == copy.air.central?.counts)
    }

    @Test("access addresses obey section 2.1.2")
    func accessAddresses() {
        var numbers = SeededNumbers(seed: 5)
        for _ in 0..<200 {
            let address = ConnectRequest.accessAddress(&numbers)
            let bits = (0..<32).map { address >> $0 & 1 }
            let changes = (0..<31).filter { bits[$0] != bits[$0 + 1] }
            #expect(changes.count <= 24)
            #expect(changes.filter { $0 >= 26 }.count >= 2)
            for start in 0...25 { #expect(Set(bits[start..<start + 7]).count == 2) }
        }
    }
}
