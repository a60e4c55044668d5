import Testing

@testable import Watch

@Suite struct UTF8ScalarsTests {
    private func scalars(_ bytes: [UInt8]) -> [UInt32] {
        var reader = UTF8Scalars(bytes.span)
        var result: [UInt32] = []
        while let scalar = reader.next() { result.append(scalar) }
        let offset = reader.offset
        #expect(offset == bytes.count)
        return result
    }

    @Test func readsEveryLengthOfScalar() {
        #expect(scalars(Array("Až€😀".utf8)) == [0x41, 0x17E, 0x20AC, 0x1F600])
        #expect(scalars([]).isEmpty)
    }

    @Test(
        arguments: [
            ([0x80], 1), ([0xC0, 0x80], 2), ([0xE0, 0x80, 0x80], 3), ([0xED, 0xA0, 0x80], 3),
            ([0xF4, 0x90, 0x80, 0x80], 4),
            ([0xE2, 0x82], 1), ([0xF0, 0x9F, 0x98], 1), ([0xFF], 1), ([0xC3], 1), ([0xF5, 0x80], 2),
        ] as [([UInt8], Int)])
    func eachIllFormedPartIsOneReplacement(bytes: [UInt8], count: Int) {
        #expect(scalars(bytes) == Array(repeating: 0xFFFD, count: count))
        #expect(scalars(bytes + [0x41]) == Array(repeating: 0xFFFD, count: count) + [0x41])
    }

    @Test func readsAnyBytesAsStringDoes() {
        var random = CanvasRandom()
        for _ in 0..<3_000 {
            let bytes =
                random.int(0...1) == 0
                ? random.text(upTo: 20) : (0..<random.int(0...12)).map { _ in UInt8(random.int(0x7F...0xFF)) }
            let expected = String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value)
            #expect(scalars(bytes) == expected, random.replay)
        }
    }
}
