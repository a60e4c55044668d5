import TestSupport
import Testing
import WatchLink

struct SessionFaultTests {
    private func fault(_ text: String, into phase: Device) throws -> SessionEvent {
        phase.receive(try #require(bytes(hex: text)), at: .start)
    }

    @Test(arguments: [
        ("00", ProtocolFault.unsupported), ("06", .unsupported), ("0f", .unsupported),
        ("12", .unsupported),
        ("13", .unsupported), ("14", .unsupported), ("15", .unsupported), ("16", .unsupported),
        ("ff", .unsupported),
        ("01 a0", .malformedFrame), ("03", .malformedFrame), ("03 a0", .malformedFrame),
        ("03 a10001 00", .malformedFrame),
        ("03 a1001b0000000100000000", .malformedFrame), ("05 a10000", .malformedFrame),
        ("05 a2000001 01", .acknowledgedUnsent), ("05 a200010100", .acknowledgedUnsent),
        ("05 a300000100 03 89 820101 820101 820101 820101 820101 820101 820101 820101 820101", .malformedFrame),
        ("05 a300000100 03 81 83010101", .malformedFrame),
        ("11", .malformedFrame), ("11 00 000001", .malformedFrame), ("11 00 00000000 6161 00", .malformedFrame),
        ("11 01 00000001 6161 00", .unsupported), ("11 02 00000001 6161 00", .unsupported),
        ("11 04 00000001 6161 00", .unsupported), ("10 80 00000001 6161 00", .unsupported),
        ("11 00 00000002 6161 00", .sequenceGap), ("11 00 ffffffff 6161 00", .sequenceGap),
        ("10 00 00000000 6161 00", .malformedFrame),
    ])
    func `while messages flow`(_ text: String, _ fault: ProtocolFault) throws {
        for role in [LinkRole.watch, .phone] {
            let device = TestLink.open().device(role)
            #expect(try self.fault(text, into: device) == .closed(.protocolFault(fault)), "\(role)")
            let goodbye = Goodbye(.protocolFault, fault: fault)
            #expect(device.session.dueFrame(at: .start) == .goodbye(goodbye))
            #expect(device.receive([0x03, 0xA1, 0x00, 0x01], at: .start) == .none, "nothing counts any more")
        }
    }

    @Test func `a second hello`() {
        let link = TestLink.open()
        guard let hello = link.delivered.first else { return }
        #expect(link.phone.receive(hello.bytes, at: .start) == .closed(.protocolFault(.unexpectedFrame)))
    }

    @Test(arguments: ["03 a10001", "04 a10001", "05 a200000100", "11 00 00000001 6161 00"])
    func `before the hello`(_ text: String) throws {
        for role in [LinkRole.watch, .phone] {
            let device = Device(role, epoch: 1)
            device.connect(at: .start)
            #expect(try fault(text, into: device) == .closed(.protocolFault(.unexpectedFrame)))
        }
    }

    @Test func `a frame or a message longer than was allowed`() throws {
        let limits = LinkLimits(largestSDU: 200, largestMessage: 100)
        for (size, isAllowed) in [(100, true), (101, false), (194, false), (195, false)] {
            let link = TestLink(watch: Device(.watch, epoch: 7, limits: limits))
            link.connect()
            link.settle()
            #expect(link.phone.session.largestBody == 100)
            let body = [UInt8](repeating: 0x60, count: size)
            let frame = try #require(Device.frame(MessageHeader(.queued, sequence: 1), body))
            let event = link.watch.receive(frame.bytes, at: .start)
            #expect(event == (isAllowed ? .message(frame.header) : .closed(.protocolFault(.tooLong))))
        }
    }

    @Test func `duplicates are no fault: they are acknowledged again and dropped`() throws {
        let link = TestLink.open()
        link.watch.enqueue(1)
        link.watch.enqueue(2)
        link.watch.set("name", to: 5)
        link.settle()
        for (_, bytes) in link.delivered where bytes[0] >= 0x10 {
            #expect(link.phone.receive(bytes, at: link.now) == .duplicate)
            let acknowledgement = Acknowledgement(queued: 2, latest: 1, heldFor: 3_000)
            #expect(link.phone.session.dueFrame(at: link.now) == .acknowledgement(acknowledgement))
            link.settle()
        }
        #expect(link.phone.store.appliedQueue == [1, 2])
    }

    @Test func `frames cut short or changed are survived, at every point of a conversation`() throws {
        let source = TestLink()
        source.connect()
        for value in 1...3 {
            source.watch.enqueue(UInt32(value))
            source.phone.enqueue(UInt32(value))
            source.phone.set("title", to: UInt32(value))
        }
        source.run(.seconds(5))
        let frames = source.delivered.map(\.bytes)
        withSeeds(20, "frame fuzz") { generator, seed in
            for _ in 0..<300 {
                let link = generator.once(in: 3) ? TestLink() : TestLink.open()
                if !link.isUp { link.connect() }
                for _ in 0..<4 {
                    var frame = frames.randomElement(using: &generator) ?? []
                    for _ in 0..<Int.random(in: 0...3, using: &generator) where !frame.isEmpty {
                        let index = Int.random(in: 0..<frame.count, using: &generator)
                        switch Int.random(in: 0..<3, using: &generator) {
                        case 0: frame[index] = UInt8.random(in: 0...255, using: &generator)
                        case 1: frame.removeLast(frame.count - index)
                        default: frame.insert(UInt8.random(in: 0...255, using: &generator), at: index)
                        }
                    }
                    let role: LinkRole = generator.once(in: 2) ? .watch : .phone
                    link.device(role).receive(frame, at: link.now)
                    _ = link.act(role)
                }
                // At most these messages count as applied: those that arrived, and those below the floor of a hello.
                for device in [link.phone, link.watch] {
                    let floors = device.events.compactMap { $0.hello?.queuedFloor }
                    let most = device.events.count + Int(floors.max() ?? 0)
                    #expect(Int(device.session.positions.queuedApplied) <= most, "TAPLINE_SEED=\(seed)")
                }
            }
        }
    }
}

/// Tests the rules of PROTOCOL.md that are the same for both roles. The tests send raw bytes, as another implementation
/// could.
@Suite(.serialized)
struct SessionRuleTests {
    private static let roles = [LinkRole.watch, .phone]

    private func connected(_ role: LinkRole) -> Device {
        let device = Device(role, epoch: 7)
        device.connect(at: .start)
        return device
    }

    /// Encodes a hello for a device of this role, with the values of `changes` in place of the usual ones. Each string
    /// of `extra` adds a key with its value. All strings are CBOR in hexadecimal digits.
    private func hello(to role: LinkRole, _ changes: [UInt8: String] = [:], extra: [String] = []) throws -> [UInt8] {
        let usual: [UInt8: String] = [
            0: "02", 2: role == .watch ? "01" : "00", 3: "05", 4: "07", 8: "190200", 9: "1901fa", 13: "08",
        ]
        let fields = usual.merging(changes) { $1 }.sorted { $0.key < $1.key }
        let pairs =
            try fields.map { [$0.key] + (try #require(bytes(hex: $0.value))) }
            + extra.map { try #require(bytes(hex: $0)) }
        return [0x01, 0xA0 + UInt8(pairs.count)] + pairs.joined()
    }

    private func accepts(_ role: LinkRole, _ hello: [UInt8]) -> Bool {
        let device = connected(role)
        _ = device.receive(hello, at: .start)
        return device.session.peer != nil
    }

    @Test(arguments: roles)
    func `a device is in sync when it has what its peer had numbered before its hello`(_ role: LinkRole) throws {
        let device = connected(role)
        device.receive(try hello(to: role, [11: "02", 12: "01"]), at: .start)
        #expect(device.session.peer != nil && !device.session.isSynchronized)
        device.receive(try #require(bytes(hex: "11 00 00000001 6161 00")), at: .start)
        device.receive(try #require(bytes(hex: "10 00 00000001 6161 00")), at: .start)
        #expect(!device.session.isSynchronized, "the second queued message is not there")
        device.receive(try #require(bytes(hex: "11 00 00000002 6161 00")), at: .start)
        #expect(device.session.isSynchronized)
        device.receive(try #require(bytes(hex: "11 00 00000003 6161 00")), at: .start)
        #expect(device.session.isSynchronized, "what is numbered after the hello does not count")
    }

    @Test(arguments: roles, [(3, "00"), (0, "00")] as [(UInt8, String)])
    func `a hello with identity 0 or version 0 is malformed (fault 1)`(
        _ role: LinkRole, _ field: (key: UInt8, value: String)
    ) throws {
        #expect(accepts(role, try hello(to: role)))
        let device = connected(role)
        let event = device.receive(try hello(to: role, [field.key: field.value]), at: .start)
        #expect(event == .closed(.protocolFault(.malformedFrame)))
    }

    @Test(arguments: roles)
    func `an empty datagram is ignored, before the hello and after it, and counts as nothing heard`(_ role: LinkRole) {
        #expect(connected(role).receive([], at: .start) == .none)
        let link = TestLink.open()
        let device = link.device(role)
        #expect(device.receive([], at: link.now + .seconds(5)) == .none)
        #expect(device.session.reachability == .reachable(lastHeard: link.now))
        #expect(device.session.next(at: link.now + .seconds(6)) == .close(.silent))
    }

    @Test(arguments: roles)
    func `a control frame above 128 bytes is too long (fault 7), whatever it says`(_ role: LinkRole) throws {
        for size in [128, 129, 500] {
            // A ping that is padded to this size with the value of an unknown key.
            let filler = [UInt8](repeating: 0x61, count: size - 8)
            let ping: [UInt8] = [0x03, 0xA2, 0x00, 0x01, 0x18, 0x1E, 0x58, UInt8(truncatingIfNeeded: filler.count)]
            let long: [UInt8] = [
                0x03, 0xA2, 0x00, 0x01, 0x18, 0x1E, 0x59, UInt8((filler.count - 1) >> 8),
                UInt8(truncatingIfNeeded: filler.count - 1),
            ]
            let frame = size < 264 ? ping + filler : long + filler.dropLast()
            #expect(frame.count == size)
            let device = TestLink.open().device(role)
            let event = device.receive(frame, at: .start)
            #expect(event == (size == 128 ? .none : .closed(.protocolFault(.tooLong))), "\(size)")
        }
        let padded = try hello(to: role, extra: ["1818 58 6e" + String(repeating: "00", count: 110)])
        #expect(connected(role).receive(padded, at: .start) == .closed(.protocolFault(.tooLong)))
    }

    @Test(arguments: roles)
    func `a hello of another version may be longer than a control frame`(_ role: LinkRole) throws {
        let foreign = try hello(
            to: role, [0: "09"], extra: ["1818 58 6e" + String(repeating: "00", count: 110)])
        let reason = CloseReason.otherVersion(peer: 9)
        #expect(foreign.count > 128)
        #expect(connected(role).receive(foreign, at: .start) == .closed(reason))
    }

    @Test(arguments: roles)
    func `an item of indefinite length is malformed if it is read, and allowed if it is skipped`(_ role: LinkRole)
        throws
    {
        let fault = SessionEvent.closed(.protocolFault(.malformedFrame))
        // Items that are read: the map of the frame, and the name of the device.
        for frame in ["03 bf 00 01 ff", "04 bf 00 01 ff"] {
            #expect(TestLink.open().device(role).receive(try #require(bytes(hex: frame)), at: .start) == fault)
        }
        #expect(!accepts(role, try hello(to: role, [10: "7f 61 61 ff"])))
        // An item that is skipped: the value of an unknown key.
        for value in ["9f 01 02 ff", "bf 61 61 01 ff", "7f 61 61 ff", "5f 41 00 ff"] {
            #expect(accepts(role, try hello(to: role, extra: ["1818" + value])), "\(value)")
        }
        // The head of an item may be longer than needed.
        #expect(accepts(role, try hello(to: role, [4: "1a 00 00 00 07", 10: "78 01 61"])))
    }

    @Test(arguments: roles)
    func `arrays, maps and tags are nested at most 16 deep, the outermost counted`(_ role: LinkRole) throws {
        func nested(_ depth: Int, in head: String) -> String { head + String(repeating: "81", count: depth - 1) + "80" }
        #expect(accepts(role, try hello(to: role, extra: ["1818" + nested(15, in: "")])), "with the map, 16")
        #expect(!accepts(role, try hello(to: role, extra: ["1818" + nested(16, in: "")])), "with the map, 17")
        for (depth, isAllowed) in [(16, true), (17, false)] {
            let frame = try #require(bytes(hex: nested(depth, in: "11 00 00000001 6161")))
            let body = try? MessageBody(frame.span, header: MessageHeader(frame.span)).payload.count
            #expect((body != nil) == isAllowed, "a payload nested \(depth) deep")
        }
        // The value of an unknown key in an application's message. The map of the payload is the first level.
        for (depth, isAllowed) in [(15, true), (16, false)] {
            let payload = try #require(bytes(hex: "a2 00 07" + nested(depth, in: "05")))
            let frame = [0x11, 0, 0, 0, 0, 1, 0x61, 0x61] + payload
            let item = try? MessageBody(frame.span, header: MessageHeader(frame.span)).reader.check()
            #expect((item == 7) == isAllowed, "a value nested \(depth) deep")
        }
    }

    @Test(arguments: roles)
    func `what is skipped is well-formed, and need not be valid: text may not be UTF-8, keys may stand twice`(
        _ role: LinkRole
    ) throws {
        #expect(accepts(role, try hello(to: role, extra: ["1818 62 ff fe"])), "invalid UTF-8 in a value")
        #expect(accepts(role, try hello(to: role, extra: ["1818 a2 6161 00 6161 00"])), "a key twice in a value")
        #expect(accepts(role, try hello(to: role, extra: ["6161 00", "6161 00"])), "a text key twice")
        #expect(!accepts(role, try hello(to: role, extra: ["1818 62 61"])), "a text that ends too soon")
        #expect(!accepts(role, try hello(to: role, extra: ["1818 00", "1818 00"])), "a number from 0 to 31 twice")
        #expect(!accepts(role, try hello(to: role, [10: "62 ff fe"])), "invalid UTF-8 where it is read")
    }

    @Test(arguments: roles)
    func `a sender that exceeds the window breaks nothing: all its messages are applied, in order`(_ role: LinkRole)
        throws
    {
        let link = TestLink.open()
        let device = link.device(role)
        for sequence in UInt32(1)...40 {
            let body = [0x66] + Array("number".utf8) + [0x18, UInt8(sequence + 23)]
            let frame = try #require(Device.frame(MessageHeader(.queued, sequence: sequence), body))
            #expect(device.receive(frame.bytes, at: link.now) == .message(frame.header))
        }
        #expect(device.store.appliedQueue == (24...63).map { UInt32($0) })
        let acknowledgement = Acknowledgement(queued: 40, latest: 0, heldFor: 3_000)
        #expect(device.session.dueFrame(at: link.now) == .acknowledgement(acknowledgement))
    }

    @Test(arguments: roles)
    func `of more than eight rejections in one acknowledgement, the reasons of the first eight are reported`(
        _ role: LinkRole
    ) throws {
        let link = TestLink.open()
        let device = link.device(role)
        device.refuses = { _ in true }
        for sequence in UInt32(1)...12 {
            let frame = try #require(Device.frame(MessageHeader(.queued, sequence: sequence), [0x61, 0x61, 0x00]))
            device.receive(frame.bytes, at: link.now)
        }
        let acknowledgement = try #require(device.session.dueFrame(at: link.now)?.acknowledgement)
        #expect(acknowledgement.queued == 12)
        #expect(acknowledgement.rejected.count == 8 && acknowledgement.rejected[7].sequence == 8)
    }
}

extension CBORReader {
    fileprivate func check() throws(CBORError) -> UInt32 {
        var reader = self
        return try CheckMessage(from: &reader).item
    }
}
