import SeededNumbers
import Testing
import WatchLink

struct CBORFuzzTests {
    /// Random bytes that look like CBOR more often than not.
    private func bytes(_ generator: inout SplitMix64) -> [UInt8] {
        let heads: [UInt8] = [
            0x00, 0x17, 0x18, 0x20, 0x41, 0x5F, 0x61, 0x7F, 0x81, 0x9F, 0xA1, 0xBF, 0xC1, 0xF5, 0xF9, 0xFF,
        ]
        return (0..<Int.random(in: 0...40, using: &generator)).map { _ in
            generator.once(in: 3)
                ? UInt8.random(in: 0...255, using: &generator) : heads.randomElement(using: &generator) ?? 0
        }
    }

    @Test func `what can be skipped can be read and the other way round, and neither traps`() throws {
        withSeeds(4, "CBOR fuzz") { generator, seed in
            for round in 0..<5_000 {
                let input = bytes(&generator)
                var skipping = CBORReader(input.span, maximumDepth: 16)
                let skipped: Int? = (try? skipping.skip()) == nil ? nil : skipping.offset
                var reading = CBORReader(input.span)
                let item = try? CBORItem(&reading, depth: 17)
                let read = reading.offset
                if item != nil {
                    #expect(skipped == read, "seed \(seed) round \(round): \(hex(input))")
                } else if skipped != nil {
                    // The reader also looks into text, which skipping does not.
                    #expect(input.contains { $0 & 0xE0 == 0x60 }, "seed \(seed) round \(round): \(hex(input))")
                }
            }
        }
    }

    @Test func `what has been read is written so that it reads the same`() throws {
        try withSeeds(4, "CBOR rewrite fuzz") { generator, seed in
            for _ in 0..<5_000 {
                let input = bytes(&generator)
                var reader = CBORReader(input.span)
                guard let item = try? CBORItem(&reader, depth: 17) else { continue }
                let used = reader.offset
                let once = try item.encoded()
                #expect(once.count <= used, "seed \(seed): \(hex(input))")
                let twice = try CBORItem.read(once, depth: 17).encoded()
                #expect(once == twice, "seed \(seed): \(hex(input))")
            }
        }
    }
}
