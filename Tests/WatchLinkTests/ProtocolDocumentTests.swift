import Foundation
import Testing
import WatchLink

struct ProtocolDocumentTests {
    @Test func `there is an example of every kind of frame, every message and every control frame`() throws {
        let examples = try ProtocolExample.all()
        #expect(Set(examples.map { $0.frame[0] }) == [1, 2, 3, 4, 5, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15])
        #expect(Set(examples.map(\.title)).count == examples.count)
        var names: Set<String> = []
        for example in examples where example.frame[0] == 0x10 || example.frame[0] == 0x11 {
            let body = try MessageBody(example.frame.span, header: MessageHeader(example.frame.span))
            names.insert(string(body.name))
        }
        #expect(names == Set(ApplicationMessage.all.map(name)).union([""]))
    }

    private func name(_ message: ApplicationMessage) -> String { "\(message.name)" }

    @Test func `the table of application messages has every message, with its sender and its delivery`() throws {
        let page = try Repository.text("Sources/WatchLink/PROTOCOL.md")
        let section = try #require(page.components(separatedBy: "\n## Application messages\n").last)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") && !$0.hasPrefix("| `[") }
        let documented = rows.map { row in
            row.split(separator: "|").prefix(3).map { $0.trimmingCharacters(in: [" ", "`"]) }
        }
        let declared = ApplicationMessage.all.map { message in
            [
                name(message), message.sender == .watch ? "watch" : "phone",
                message.delivery == .latest ? "latest" : "queued",
            ]
        }
        #expect(documented == declared)
    }

    @Test func `a message of the application is found by its name, and by no other`() {
        for message in ApplicationMessage.all {
            let name = Array(name(message).utf8)
            let (longer, shorter) = (name + [0x73], Array(name.dropLast()))
            let found = ApplicationMessage(name: name.span)
            let others = [ApplicationMessage(name: longer.span), ApplicationMessage(name: shorter.span)]
            #expect(found == message && others == [nil, nil])
        }
        #expect(CheckMessage.message == .check && ListMessage.message == .list && ReloadMessage.message == .reload)
        #expect(TitleMessage.message == .title && ComplicationMessage.message == .complication)
    }

    @Test(arguments: try ProtocolExample.all())
    func `an example decodes, and encodes to the same bytes`(_ example: ProtocolExample) throws {
        let again =
            switch FrameKind(rawValue: example.frame[0]) {
            case .interactive: try rewrittenQuestion(example.frame)
            case .reply: try rewrittenReply(example.frame)
            case .file: try rewrittenFile(example.frame)
            case .latest, .queued, .complication: try rewrittenMessage(example.frame)
            case _: encoded(try ControlFrame(example.frame.span))
            }
        #expect(hex(again) == hex(example.frame))
    }

    @Test func `a frame of a kind that a hello does not take is refused as unsupported`() throws {
        let examples = try ProtocolExample.all().filter { $0.frame[0] >= FrameKind.interactive.rawValue }
        #expect(Set(examples.map { $0.frame[0] }) == [0x12, 0x13, 0x14, 0x15])
        for example in examples {
            let phone = TestLink.open().phone
            #expect(phone.receive(example.frame, at: .start) == .closed(.protocolFault(.unsupported)))
        }
    }

    private func rewrittenQuestion(_ frame: [UInt8]) throws -> [UInt8] {
        let header = try InteractiveHeader(frame.span)
        let body = try MessageBody(interactive: frame.span)
        let (name, payload) = (Array(string(body.name).utf8), body.payload.indices.map { body.payload[$0] })
        return try written { (writer) throws(CBORError) in
            try header.encode(into: &writer)
            try writer.text(name.span)
            try writer.raw(payload.span)
        }
    }

    private func rewrittenReply(_ frame: [UInt8]) throws -> [UInt8] {
        let header = try ReplyHeader(frame.span)
        let value = Array(frame[ReplyHeader.size...])
        return try written { (writer) throws(CBORError) in
            try header.encode(into: &writer)
            try writer.raw(value.span)
        }
    }

    private func rewrittenFile(_ frame: [UInt8]) throws -> [UInt8] {
        let header = try FileHeader(frame.span)
        return try written { (writer) throws(CBORError) in
            try header.encode(into: &writer)
            switch header.step {
            case .offer: try FileOffer(frame.span).encode(into: &writer)
            case .chunk: try writer.raw(frame.span.extracting(FileHeader.longestSize..<frame.count))
            case .resume, .cancel, .done, .progress, .refusal: break
            }
        }
    }

    private func rewrittenMessage(_ frame: [UInt8]) throws -> [UInt8] {
        let header = try MessageHeader(frame.span)
        let body = try MessageBody(frame.span, header: header)
        var reader = body.reader
        let charge = MessageCharge(FrameKind(rawValue: frame[0]))
        return try written { (writer) throws(CBORError) in
            try header.encode(into: &writer, charge: charge)
            if !header.hasValue {
                if !body.name.isEmpty { try writer.text(body.name) }
                return
            }
            try writer.text(body.name)
            switch ApplicationMessage(name: body.name) {
            case .check: try CheckMessage(from: &reader).encode(into: &writer)
            case .reload: try ReloadMessage(from: &reader).encode(into: &writer)
            case .title: try TitleMessage(from: &reader).encode(into: &writer)
            case .add: try AddMessage(from: &reader).encode(into: &writer)
            case .list, .past:
                var list = try ListMessageReader(reader)
                try list.message.encodeHead(into: &writer)
                while let change = list.next() { try change.encode(into: &writer) }
                try list.message.encodeTail(into: &writer)
            case .complication:
                var complication = try ComplicationMessageReader(reader)
                try complication.message.encodeHead(into: &writer)
                while let entry = complication.next() { try entry.encode(into: &writer) }
            case nil: throw .malformed
            }
        }
    }

    @Test func `what the examples say is what their names promise`() throws {
        let answer = try ProtocolExample.named("hello of a phone in answer")
        let phone = try #require(try ControlFrame(answer.span).hello)
        #expect(phone.role == .phone && phone.name == LinkName("kitchen") && phone.queuedFloor == 3)
        #expect(phone.localTime == 1_790_000_000 && phone.knows(epoch: 0x1122_3344))
        let frame = try ProtocolExample.named("queued list message, sequence 4: clear, put two items, remove one")
        var list = try ListMessageReader(MessageBody(frame.span, header: MessageHeader(frame.span)).reader)
        var changes: [ListChange] = []
        while let change = list.next() { changes.append(change) }
        #expect(
            changes == [
                .clear, .put(id: 70_001, rank: 10, title: ItemTitle("Milk")),
                .put(id: 70_002, rank: 20, title: ItemTitle("Crème fraîche")), .remove(id: 70_000),
            ])
        let more = list.message.more
        #expect(more == 12)
    }

    @Test func `two sessions hold the conversation of the document, byte for byte`() throws {
        let watchHello = try ProtocolExample.named("hello of a watch that met this phone before")
        let phoneHello = try ProtocolExample.named("hello of a phone in answer")
        let watchIdentity = LinkIdentity(
            role: .watch, identity: 0x0123_4567_89AB_CDEF, epoch: 0x1122_3344, name: LinkName("wrist"))
        let phoneIdentity = LinkIdentity(
            role: .phone, identity: 0xFEDC_BA98_7654_3210, epoch: 0x0A0B_0C0D, name: LinkName("kitchen"))
        var watch = Session(identity: watchIdentity, limits: LinkLimits(largestSDU: 512))
        var phone = Session(identity: phoneIdentity, limits: LinkLimits(largestSDU: 65_535))
        var known = StreamPositions()
        (known.queuedIssued, known.queuedAcknowledged) = (5, 4)
        (known.peerEpoch, known.queuedApplied, known.latestApplied) = (0x0A0B_0C0D, 3, 2)
        watch.connected(at: .start, maximumSDU: 65_535, positions: known)
        phone.connected(at: .start, maximumSDU: 65_535)
        try say(watchHello, &watch)
        _ = try #require(phone.receive(watchHello.span, at: .start).hello)
        (known.queuedIssued, known.queuedAcknowledged, known.latestIssued) = (4, 3, 3)
        (known.peerEpoch, known.queuedApplied, known.latestApplied) = (0x1122_3344, 4, 0)
        phone.accept(known, localTime: 1_790_000_000, at: .start)
        try say(phoneHello, &phone)
        _ = try #require(watch.receive(phoneHello.span, at: .start).hello)
        #expect(watch.next(at: .start) == .sendQueued(sequence: 5))
        watch.sent(.queued, sequence: 5, at: .start)
        #expect(phone.next(at: .start) == .sendQueued(sequence: 4))
        phone.sent(.queued, sequence: 4, at: .start)
        #expect(phone.next(at: .start) == .sendLatest(after: 2))
        phone.sent(.latest, sequence: 3, at: .start)
        let check = try ProtocolExample.named("queued check message, sequence 5")
        #expect(phone.receive(check.span, at: .start) == .message(MessageHeader(.queued, sequence: 5)))
        phone.applied(.queued, sequence: 5, heldFor: Microseconds(1_250), at: .start)
        let done = try ProtocolExample.named("acknowledgement of queued 5, held for 1,250 microseconds")
        try say(done, &phone)
        _ = watch.receive(done.span, at: .start)
        for title in ["queued list message, sequence 4: clear, put two items, remove one", "latest title, revision 3"] {
            let frame = try ProtocolExample.named(title)
            let header = try MessageHeader(frame.span)
            #expect(watch.receive(frame.span, at: .start) == .message(header))
            watch.applied(header.delivery, sequence: header.sequence, at: .start)
        }
        let acknowledgement = ControlFrame.acknowledgement(Acknowledgement(queued: 4, latest: 3))
        try say(encoded(acknowledgement), &watch)
        _ = phone.receive(encoded(acknowledgement).span, at: .start)
        #expect(watch.isSynchronized && phone.isSynchronized)
        let later = Instant.start + .seconds(2)
        let ping = try ProtocolExample.named("ping")
        try say(ping, &watch, at: later)
        #expect(phone.receive(ping.span, at: later) == .none)
        try say(try ProtocolExample.named("pong"), &phone, at: later)
    }

    /// Expects that the session's next control frame consists of exactly these bytes, and reports the frame as sent.
    private func say(_ bytes: [UInt8], _ session: inout Session, at now: Instant = .start) throws {
        let due = session.dueFrame(at: now)
        let frame = try #require(due, "\(hex(bytes)) is due")
        #expect(hex(encoded(frame)) == hex(bytes))
        session.sent(control: frame, at: now)
    }
}

extension ApplicationMessage {
    fileprivate static var all: [ApplicationMessage] {
        (UInt8.min...UInt8.max).compactMap(ApplicationMessage.init(rawValue:))
    }
}

struct ProtocolExample: CustomTestStringConvertible {
    let title: String
    let frame: [UInt8]

    var testDescription: String { title }

    static func all(in language: String = "hex") throws -> [ProtocolExample] {
        let lines = try Repository.text("Sources/WatchLink/PROTOCOL.md").split(
            separator: "\n", omittingEmptySubsequences: false)
        var examples: [ProtocolExample] = []
        var title: String?
        var index = lines.startIndex
        while index < lines.endIndex {
            if lines[index].hasPrefix("Example: ") { title = String(lines[index].dropFirst("Example: ".count)) }
            if lines[index] == "```\(language)" {
                let end = try #require(lines[(index + 1)...].firstIndex(of: "```"), "a block that does not end")
                let digits = lines[(index + 1)..<end].joined()
                let named = try #require(title, "line \(index + 1): a block without a line that names it")
                examples.append(ProtocolExample(title: named, frame: try #require(bytes(hex: digits))))
                title = nil
                index = end
            }
            index += 1
        }
        return examples
    }

    static func named(_ title: String) throws -> [UInt8] {
        try #require(try all().first { $0.title == title }, "PROTOCOL.md has no example \(title)").frame
    }
}
