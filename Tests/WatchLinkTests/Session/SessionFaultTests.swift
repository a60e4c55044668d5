import SeededNumbers
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

    @Test(arguments: [
        "01 a0", "01 80", "01", "01 a1 00 02", "01 a1 00 00",
    ])
    func `a hello that lacks something or contradicts itself`(_ text: String) throws {
        let device = Device(.phone, epoch: 1)
        device.connect(at: .start)
        #expect(try fault(text, into: device) == .closed(.protocolFault(.malformedFrame)))
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
                // Whatever was believed: nothing counts as applied but what arrived and what a hello said is out of
                // reach.
                for device in [link.phone, link.watch] {
                    let floors = device.events.compactMap { $0.hello?.queuedFloor }
                    let most = device.events.count + Int(floors.max() ?? 0)
                    #expect(Int(device.session.positions.queuedApplied) <= most, "TAPLINE_SEED=\(seed)")
                }
            }
        }
    }
}

extension SessionEvent {
    /// The hello that it is about.
    fileprivate var hello: PeerHello? {
        switch self {
        case .helloArrived(let hello), .opened(let hello): hello
        case .none, .message, .duplicate, .interactive, .reply, .file, .acknowledged, .closed: nil
        }
    }
}
