import TestSupport
import Testing
import WatchLink

struct ControlFrameTests {
    private static func random(_ generator: inout SplitMix64) -> ControlFrame {
        func word() -> UInt32 {
            let shift = UInt32.random(in: 0...31, using: &generator)
            return UInt32.random(in: 0...UInt32.max, using: &generator) >> shift
        }
        func byte() -> UInt8 { UInt8.random(in: 0...255, using: &generator) }
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: return .ping(word())
        case 1: return .pong(word())
        case 2:
            let fault = generator.once(in: 2) ? ProtocolFault(rawValue: byte()) : nil
            let version = generator.once(in: 2) ? byte() : nil
            return .goodbye(Goodbye(GoodbyeReason(rawValue: byte()), fault: fault, version: version))
        case 3:
            var rejected = RejectionList()
            for _ in 0..<Int.random(in: 0...8, using: &generator) {
                rejected.append(Rejection(sequence: word(), reason: RejectionReason(rawValue: byte())))
            }
            let latest = Rejection(sequence: word(), reason: RejectionReason(rawValue: byte()))
            var acknowledgement = Acknowledgement(
                queued: word(), latest: word(), heldFor: word(), rejected: rejected,
                rejectedLatest: generator.once(in: 2) ? latest : nil)
            acknowledgement.rowsCheck = generator.once(in: 2) ? word() : nil
            return .acknowledgement(acknowledgement)
        default:
            var limits = LinkLimits(largestSDU: max(word(), 128))
            (limits.largestMessage, limits.window) = (word(), UInt16.random(in: 1...UInt16.max, using: &generator))
            limits.kinds = LinkKinds(rawValue: generator.once(in: 2) ? byte() : 0)
            var hello = Hello(
                role: generator.once(in: 2) ? .watch : .phone, identity: max(generator.next(), 1),
                epoch: max(word(), 1),
                limits: limits)
            let knownEpoch = word()
            hello.knownEpoch = knownEpoch == 0 ? nil : knownEpoch
            (hello.queuedApplied, hello.latestApplied) = (word(), word())
            (hello.queuedIssued, hello.latestIssued) = (word(), word())
            hello.report =
                [.nothing, .rows(check: word()), .lost(messages: max(word(), 1))].randomElement(using: &generator)
                ?? .nothing
            let extra = generator.once(in: 2) ? max(word(), 1) : nil
            switch hello.role {
            case .phone: hello.localTime = extra
            case .watch: hello.floorOrigin = extra
            }
            hello.queuedFloor = UInt32.random(in: 0...hello.queuedIssued, using: &generator)
            let name = String(repeating: "é", count: Int.random(in: 0...20, using: &generator))
            hello.name = LinkName(utf8: Array(name.utf8).span)
            return .hello(hello)
        }
    }

    @Test func `what is written is read again, in at most 128 bytes`() throws {
        try withSeeds(4, "control frames") { generator, seed in
            for _ in 0..<1_000 {
                let frame = ControlFrameTests.random(&generator)
                let bytes = encoded(frame)
                let read = try ControlFrame(bytes.span)
                #expect(read == frame, "TAPLINE_SEED=\(seed)")
                #expect(bytes.count <= Int(LinkLimits.smallestSDU))
                for length in 0..<bytes.count {
                    let cut = Array(bytes.prefix(length))
                    #expect(throws: CBORError.self, "TAPLINE_SEED=\(seed)") { try ControlFrame(cut.span) }
                }
                let longer = bytes + [0]
                #expect(throws: CBORError.malformed) { try ControlFrame(longer.span) }
            }
        }
    }

    @Test func `a hello without a key that it needs is malformed, one without another is not`() throws {
        let whole: [(UInt8, String)] = [
            (0, "02"), (1, "01"), (2, "00"), (3, "05"), (4, "07"), (5, "00"), (6, "00"), (7, "00"), (8, "190200"),
            (9, "1901fa"), (10, "6161"), (11, "03"), (12, "00"), (13, "08"), (14, "05"), (15, "02"),
            (24, "830102a10f0f"),
        ]
        for (missing, _) in whole {
            let kept = whole.filter { $0.0 != missing }
            let pairs = try kept.map {
                [$0.0 > 23 ? 0x18 : $0.0] + ($0.0 > 23 ? [$0.0] : []) + (try #require(bytes(hex: $0.1)))
            }
            let frame = [0x01, 0xA0 + UInt8(kept.count)] + pairs.joined()
            let isRequired = [0, 2, 3, 4, 8, 9, 13].contains(missing)
            // Without the highest sequence issued, a floor above it contradicts it.
            let isContradiction = missing == 11
            let hello = try? ControlFrame(frame.span)
            #expect((hello == nil) == (isRequired || isContradiction), "key \(missing)")
            let reversed = [0x01, 0xA0 + UInt8(kept.count)] + pairs.reversed().joined()
            let backwards = try? ControlFrame(reversed.span)
            #expect(backwards == hello, "keys in any order")
        }
    }

    @Test(arguments: [
        (2, "02"), (3, "00"), (0, "00"), (0, "01"), (0, "03"), (4, "00"),
        (8, "187f"), (13, "00"), (13, "1a00010000"),
        (15, "04"),
        (10, "7821" + String(repeating: "61", count: 33)), (10, "61ff"), (10, "4161"), (0, "190100"), (3, "20"),
    ])
    func `a hello that says what cannot be is malformed`(_ key: UInt8, _ value: String) throws {
        let usual: [UInt8: String] = [
            0: "02", 2: "00", 3: "05", 4: "07", 8: "190200", 9: "1901fa", 11: "03", 13: "08", 15: "02",
        ]
        let good = try frame(usual)
        #expect(throws: Never.self) { try ControlFrame(good.span) }
        let bad = try frame(usual.merging([key: value]) { $1 })
        #expect(throws: CBORError.self) { try ControlFrame(bad.span) }
    }

    private func frame(_ fields: [UInt8: String]) throws -> [UInt8] {
        let pairs = try fields.sorted { $0.key < $1.key }.map { [$0.key] + (try #require(bytes(hex: $0.value))) }
        return [0x01, 0xA0 + UInt8(fields.count)] + pairs.joined()
    }

    @Test func `a name is cut at a character boundary`() {
        let name = LinkName(utf8: Array("0123456789012345678901234567890é".utf8).span)
        #expect(name.count == 31)
        #expect(LinkName("0123456789012345678901234567890é") == name)
        #expect(LinkName("").isEmpty)
    }
}

struct MessageFrameTests {
    @Test func `a header is six bytes and comes back`() throws {
        for sequence: UInt32 in [1, 255, 256, 0x0102_0304, .max] {
            for header in [
                MessageHeader(.queued, sequence: sequence), MessageHeader(.latest, sequence: sequence, hasValue: false),
            ] {
                let bytes = try written { (writer) throws(CBORError) in try header.encode(into: &writer) }
                #expect(bytes.count == MessageHeader.size && bytes.count == header.encodedSize)
                #expect(try MessageHeader(bytes.span) == header)
            }
        }
        #expect(throws: CBORError.outOfSpace) {
            try written(5) { (w) throws(CBORError) in try MessageHeader(.queued, sequence: 1).encode(into: &w) }
        }
    }

    @Test func `the origin of a queued message is four more bytes, before the body`() throws {
        for (hasValue, flags) in [(true, 0x10), (false, 0x18)] as [(Bool, UInt8)] {
            let header = MessageHeader(.queued, sequence: 5, hasValue: hasValue, origin: 0x1A2B_3C4D)
            let bytes = try written { (writer) throws(CBORError) in try header.encode(into: &writer) }
            #expect(bytes == [0x11, flags, 0, 0, 0, 5, 0x1A, 0x2B, 0x3C, 0x4D])
            #expect(try MessageHeader(bytes.span) == header && header.encodedSize == 10)
        }
        #expect(try body("11 10 00000001 1a2b3c4d 6161 820102") == "a=820102")
    }

    @Test(arguments: [
        ("11 10 00000001 1a2b3c", CBORError.truncated), ("11 10 00000001 00000000", .malformed),
        ("10 10 00000001 1a2b3c4d 6161 01", .unexpectedKind),
    ])
    func `an origin that is cut, 0, or of a latest value is an error`(_ text: String, _ error: CBORError) throws {
        let frame = try #require(bytes(hex: text))
        #expect(throws: error) { try MessageHeader(frame.span) }
    }

    private func body(_ text: String) throws -> String {
        let frame = try #require(bytes(hex: text))
        let body = try MessageBody(frame.span, header: MessageHeader(frame.span))
        let payload = body.payload
        return string(body.name) + "=" + hex(payload.indices.map { payload[$0] })
    }

    @Test func `a body is a name and one item`() throws {
        #expect(try body("11 00 00000001 6161 820102") == "a=820102")
        #expect(try body("10 08 00000001 6161") == "a=")
        #expect(try body("11 08 00000001") == "=")
        #expect(try body("11 00 00000001 7820" + String(repeating: "61", count: 32) + "f6").hasSuffix("a=f6"))
    }

    @Test(arguments: [
        "11 00 00000001", "11 00 00000001 6161", "11 00 00000001 6161 00 00", "11 00 00000001 60 00",
        "11 00 00000001 4161 00",
        "11 00 00000001 61ff 00", "11 00 00000001 6161 ff", "11 08 00000001 6161", "10 08 00000001 6161 00",
        "10 08 00000001",
        "11 00 00000001 7821 616161616161616161616161616161616161616161616161616161616161616161 00",
        "11 00 00000001 6161 8181818181818181818181818181818181 00",
    ])
    func `and nothing else`(_ text: String) {
        #expect(throws: CBORError.self) { try body(text) }
    }
}

struct FileFrameTests {
    @Test(arguments: [
        FileStep.offer, .resume(from: 0), .resume(from: .max), .chunk(at: 1 << 40), .cancel(.cancelled), .done,
        .progress(to: 3_010), .refusal(.noRoom), .refusal(FileReason(rawValue: 200)),
    ])
    func `a header is read as it was written`(_ step: FileStep) throws {
        let header = FileHeader(number: 0x1234_5678, step: step)
        var frame = try written { (writer) throws(CBORError) in try header.encode(into: &writer) }
        if case .chunk = step { frame.append(7) }
        #expect(try FileHeader(frame.span) == header)
        let cut = Array(frame.prefix(FileHeader.size - 1))
        #expect(throws: CBORError.truncated) { try FileHeader(cut.span) }
    }

    @Test(arguments: [
        ("15", CBORError.truncated), ("15 00 00000001", .truncated), ("15 00 00000000 04", .malformed),
        ("15 01 00000001 04", .unexpectedKind), ("15 00 00000001 07", .unexpectedKind),
        ("14 00 00000001 04", .unexpectedKind), ("15 00 00000001 04 00", .malformed),
        ("15 00 00000001 01 00000000 000000", .truncated), ("15 00 00000001 01 00000000 00000000 00", .malformed),
        ("15 00 00000001 05 00000000 00000000 00", .malformed), ("15 00 00000001 02 00000000 00000000", .truncated),
        ("15 00 00000001 03", .truncated), ("15 00 00000001 03 00 00", .malformed),
        ("15 00 00000001 06", .truncated), ("15 00 00000001 06 01 00", .malformed),
    ])
    func `frames that are none`(_ text: String, _ error: CBORError) throws {
        let frame = try #require(bytes(hex: text))
        #expect(throws: error) { try FileHeader(frame.span) }
    }

    private func offer(_ map: String) throws -> [UInt8] {
        try #require(bytes(hex: "15 00 00000001 00" + map))
    }

    private let hash = String(repeating: "ab", count: 32)

    @Test
    func `an offer has what its map says; unknown keys, and metadata of any kind, are passed over`() throws {
        let frame = try offer("a6 00 61 78 01 19 0bd0 02 5820 \(hash) 03 82 01 a1 00 f6 04 01 09 00")
        let offer = try FileOffer(frame.span)
        let (label, length, transfer) = (string(offer.label), offer.length, offer.transfer)
        #expect(label == "x" && length == 3_024 && transfer == 1)
        let (itsHash, said) = (offer.hash, offer.metadata)
        let (hashDigits, saidDigits) = (hex(itsHash.indices.map { itsHash[$0] }), hex(said.indices.map { said[$0] }))
        #expect(hashDigits == hash && saidDigits == "8201a100f6")
        let frameOfNothing = try self.offer("a4 00 60 01 00 02 5820 \(hash) 04 01")
        let bare = try FileOffer(frameOfNothing.span)
        // An empty label can be read; its receiver refuses it.
        let (noMetadata, noLabel) = (bare.metadata.count, bare.label.count)
        #expect(noMetadata == 0 && noLabel == 0)
    }

    @Test(arguments: [
        "", "a0", "a3 00 61 78 01 00 02 5820 HASH", "a4 00 61 78 01 00 02 5820 HASH 04 00",
        "a4 00 61 78 01 00 02 43 010203 04 01", "a4 00 01 01 00 02 5820 HASH 04 01",
        "a4 00 61 ff 01 00 02 5820 HASH 04 01", "a4 00 61 78 01 20 02 5820 HASH 04 01",
        "a4 00 61 78 01 00 02 5820 HASH 04 01 00", "a5 00 61 78 01 00 02 5820 HASH 03",
        "a5 00 61 78 01 00 02 5820 HASH 04 01 00 61 78",
    ])
    func `offers that are none`(_ map: String) throws {
        let frame = try offer(map.replacing("HASH", with: hash))
        #expect(throws: CBORError.self) { _ = try FileOffer(frame.span) }
    }
}
