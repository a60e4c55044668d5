import Testing
import WatchLink

struct SessionExchangeTests {
    /// A link both of whose sides take interactive messages.
    private func link(
        watch watchTakes: LinkKinds = .interactive, phone phoneTakes: LinkKinds = .interactive
    ) -> TestLink {
        TestLink.open(watch: watchTakes, phone: phoneTakes)
    }

    private func question(_ number: UInt32, size: Int = 4) throws -> [UInt8] {
        try written { (writer) throws(CBORError) in
            try InteractiveHeader(number: number, patience: 2_000, wish: .value).encode(into: &writer)
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
            let header = InteractiveHeader(number: number, patience: 2_000, wish: .value)
            #expect(link.phone.receive(try question(number), at: .start) == .interactive(header))
            #expect(link.watch.receive(try question(number), at: .start) == .interactive(header))
            let answered = ReplyHeader(number: number, status: .answered)
            #expect(link.watch.receive(try reply(number), at: .start) == .reply(answered))
        }
        // In another order, too.
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

    @Test func `whoever skips a number, is too long, or replies to nothing or twice breaks the protocol`() throws {
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
