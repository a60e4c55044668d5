import Testing
import WatchLink

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
    func `an offer has what its map says; keys that nobody knows, and metadata of any kind, are passed over`() throws {
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
