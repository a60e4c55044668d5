import Testing
import WatchLink

struct SessionExchangeTests {
    private func link(
        watch watchTakes: LinkKinds = .interactive, phone phoneTakes: LinkKinds = .interactive
    ) -> TestLink {
        TestLink.open(watch: watchTakes, phone: phoneTakes)
    }

    private func question(_ number: UInt32, size: Int = 4) throws -> [UInt8] {
        try written { (writer) throws(CBORError) in
            try InteractiveHeader(number: number, timeout: 2_000, wish: .value).encode(into: &writer)
            try writer.text("a")
            try writer.bytes([UInt8](repeating: 1, count: max(0, size - 4)).span)
        }
    }

    private func reply(_ number: UInt32) throws -> [UInt8] {
        try written { (writer) throws(CBORError) in
            try ReplyHeader(number: number, status: .answered).encode(into: &writer)
            try writer.unsigned(7 as UInt32)
        }
    }

    @Test func `each side numbers its own from 1, and hears the other's`() throws {
        let link = link()
        #expect(link.phone.session.mayExchange && link.watch.session.mayExchange)
        for number in 1...3 as ClosedRange<UInt32> {
            #expect(link.watch.session.ask() == number)
            #expect(link.phone.session.ask() == number)
            let header = InteractiveHeader(number: number, timeout: 2_000, wish: .value)
            #expect(link.phone.receive(try question(number), at: .start) == .interactive(header))
            #expect(link.watch.receive(try question(number), at: .start) == .interactive(header))
            let answered = ReplyHeader(number: number, status: .answered)
            #expect(link.watch.receive(try reply(number), at: .start) == .reply(answered))
        }
        // Replies may arrive in any order.
        #expect(link.phone.receive(try reply(3), at: .start) == .reply(ReplyHeader(number: 3, status: .answered)))
        #expect(link.phone.receive(try reply(1), at: .start) == .reply(ReplyHeader(number: 1, status: .answered)))
    }

    @Test func `a new link begins with 1 again, and a reply of the old one has nothing to reply to`() throws {
        let link = link()
        #expect(link.watch.session.ask() == 1)
        link.cut()
        #expect(link.watch.session.ask() == nil)
        link.connect()
        link.settle()
        #expect(link.watch.receive(try reply(1), at: .start) == .closed(.protocolFault(.unaskedReply)))
    }

    @Test func `a side that names no such kind in its hello is asked nothing, and takes nothing`() throws {
        let link = link(watch: .none)
        #expect(link.phone.session.ask() == nil)
        #expect(link.watch.session.ask() == 1)
        #expect(link.watch.receive(try question(1), at: .start) == .closed(.protocolFault(.unsupported)))
    }

    @Test func `a peer that skips a number, is too long, or replies to nothing or twice breaks the protocol`() throws {
        #expect(link().phone.receive(try question(2), at: .start) == .closed(.protocolFault(.sequenceGap)))
        #expect(link().phone.receive(try question(1, size: 102), at: .start) == .closed(.protocolFault(.tooLong)))
        #expect(link().phone.receive(try reply(1), at: .start) == .closed(.protocolFault(.unaskedReply)))
        let twice = link()
        #expect(twice.phone.session.ask() == 1)
        #expect(twice.phone.receive(try reply(1), at: .start) == .reply(ReplyHeader(number: 1, status: .answered)))
        #expect(twice.phone.receive(try reply(1), at: .start) == .closed(.protocolFault(.unaskedReply)))
    }

    @Test func `a reply to a question of long ago is neither taken nor a fault`() throws {
        let link = link()
        for number in 1...40 as ClosedRange<UInt32> { #expect(link.phone.session.ask() == number) }
        #expect(link.phone.receive(try reply(8), at: .start) == .none)
        #expect(link.phone.receive(try reply(8), at: .start) == .none)
        #expect(link.phone.receive(try reply(9), at: .start) == .reply(ReplyHeader(number: 9, status: .answered)))
        #expect(link.phone.receive(try reply(41), at: .start) == .closed(.protocolFault(.unaskedReply)))
    }

    @Test(arguments: [
        ("12", ProtocolFault.malformedFrame), ("12 00 00000001 000000", .malformedFrame),
        ("12 00 00000000 00000001 6161 00", .malformedFrame), ("12 01 00000001 00000001 6161 00", .unsupported),
        ("12 08 00000001 00000001 6161 00", .unsupported), ("13", .malformedFrame),
        ("13 00 00000001", .malformedFrame), ("13 00 00000000 00", .malformedFrame),
        ("13 04 00000001 00", .unsupported),
    ])
    func `frames that are none`(_ text: String, _ fault: ProtocolFault) throws {
        let link = link()
        _ = link.watch.session.ask()
        let frame = try #require(bytes(hex: text))
        #expect(link.watch.receive(frame, at: .start) == .closed(.protocolFault(fault)))
    }
}

struct SessionFileTests {
    private func link(watch watchTakes: LinkKinds = .all, phone phoneTakes: LinkKinds = .all) -> TestLink {
        TestLink.open(watch: watchTakes, phone: phoneTakes)
    }

    private func frame(_ number: UInt32, _ step: FileStep) throws -> [UInt8] {
        try written { (writer) throws(CBORError) in
            try FileHeader(number: number, step: step).encode(into: &writer)
            try writer.raw(0)
        }
    }

    @Test func `frames of files are for sides that both take them, once both have said hello`() throws {
        #expect(link().watch.session.mayTransfer && link().phone.session.mayTransfer)
        for (watch, phone) in [(LinkKinds.none, LinkKinds.all), (.interactive, .all), (.all, .none)] {
            let link = link(watch: watch, phone: phone)
            #expect(!link.watch.session.mayTransfer && !link.phone.session.mayTransfer)
        }
        #expect(link().phone.receive(try frame(1, .offer), at: .start) == .file)
        let deaf = link(phone: .interactive).phone
        #expect(deaf.receive(try frame(1, .offer), at: .start) == .closed(.protocolFault(.unsupported)))
        let early = TestLink(watch: Device(.watch, epoch: 7), phone: Device(.phone, epoch: 9, limits: .taking(.files)))
        early.connect()
        #expect(early.phone.receive(try frame(1, .offer), at: .start) == .closed(.protocolFault(.unexpectedFrame)))
    }

    @Test func `the longest frame is what the transport carries and the peer takes`() {
        let link = link()
        #expect(link.phone.session.largestFrame == 512)
        link.cut()
        #expect(link.phone.session.largestFrame == nil && !link.phone.session.mayTransfer)
        link.connect(maximumSDU: 200)
        link.settle()
        #expect(link.phone.session.largestFrame == 200)
    }

    @Test func `each side numbers its own from 1, without gaps`() {
        var numbers = FileNumbers()
        #expect(numbers.receive(FileHeader(number: 2, step: .offer)) == .sequenceGap)
        #expect(numbers.receive(FileHeader(number: 1, step: .offer)) == nil)
        #expect(numbers.receive(FileHeader(number: 1, step: .offer)) == .sequenceGap)
        #expect(numbers.receive(FileHeader(number: 2, step: .offer)) == nil)
        #expect(numbers.offer() == 1 && numbers.offer() == 2)
    }

    @Test func `a step of a transfer that was never offered breaks the protocol, one of a former transfer does not`() {
        var numbers = FileNumbers()
        let ofSender: [FileStep] = [.chunk(at: 0), .cancel(.cancelled)]
        let ofReceiver: [FileStep] = [.resume(from: 0), .progress(to: 0), .done, .refusal(.busy)]
        for step in ofSender + ofReceiver {
            #expect(numbers.receive(FileHeader(number: 1, step: step)) == .brokenTransfer)
        }
        _ = numbers.receive(FileHeader(number: 1, step: .offer))
        for step in ofSender { #expect(numbers.receive(FileHeader(number: 1, step: step)) == nil) }
        for step in ofReceiver { #expect(numbers.receive(FileHeader(number: 1, step: step)) == .brokenTransfer) }
        _ = numbers.offer()
        for step in ofReceiver { #expect(numbers.receive(FileHeader(number: 1, step: step)) == nil) }
        for step in ofSender + ofReceiver {
            #expect(numbers.receive(FileHeader(number: 2, step: step)) == .brokenTransfer)
        }
    }

    @Test func `a file frame that is too long breaks the protocol, as any other`() throws {
        let frame = try frame(1, .chunk(at: 0)) + [UInt8](repeating: 0, count: 500)
        #expect(link().phone.receive(frame, at: .start) == .closed(.protocolFault(.tooLong)))
    }
}

struct SessionComplicationTests {
    private func frame(_ number: UInt32, _ charge: MessageCharge, hasValue: Bool = true) throws -> [UInt8] {
        try written { (writer) throws(CBORError) in
            let header = MessageHeader(.queued, sequence: number, hasValue: hasValue)
            try header.encode(into: &writer, charge: charge)
            guard header.hasValue else { return }
            try writer.text("number")
            try writer.unsigned(number)
        }
    }

    @Test func `they are numbered with the queued ones, applied in order and acknowledged together`() throws {
        let link = TestLink.open(watch: .all, phone: .all)
        let messages: [(UInt32, MessageCharge)] = [(1, .complication), (2, .nothing), (3, .complication)]
        for (number, charge) in messages {
            let header = MessageHeader(.queued, sequence: number)
            let frame = try frame(number, charge)
            #expect(frame[0] == (charge == .nothing ? 0x11 : 0x14))
            #expect(MessageCharge(FrameKind(rawValue: frame[0])) == charge)
            #expect(link.watch.receive(frame, at: .start) == .message(header))
            #expect(link.watch.receive(try self.frame(number, .nothing), at: .start) == .duplicate)
        }
        #expect(link.watch.store.appliedQueue == [1, 2, 3])
        let gap = link.watch.receive(try frame(5, .complication), at: .start)
        #expect(gap == .closed(.protocolFault(.sequenceGap)))
    }

    @Test func `one can be withdrawn, and have an origin, as any queued message`() throws {
        let link = TestLink.open(watch: .all, phone: .all)
        let withdrawn = try frame(1, .complication, hasValue: false)
        #expect(hex(withdrawn) == "140800000001")
        guard case .message(let header) = link.watch.receive(withdrawn, at: .start) else {
            Issue.record("it is no message")
            return
        }
        #expect(!header.hasValue && header.delivery == .queued)
        let old = try #require(bytes(hex: "14 10 00000002 00000009 61 78 01"))
        let origin = try MessageHeader(old.span).origin
        #expect(origin == 9)
        let text = try #require(bytes(hex: "15 00 00000001 61 78 01"))
        #expect(throws: CBORError.unexpectedKind) { try MessageHeader(text.span) }
    }

    @Test func `a side whose hello does not take them gets none`() throws {
        let link = TestLink.open(watch: .files, phone: .all)
        let event = link.watch.receive(try frame(1, .complication), at: .start)
        #expect(event == .closed(.protocolFault(.unsupported)))
    }
}
