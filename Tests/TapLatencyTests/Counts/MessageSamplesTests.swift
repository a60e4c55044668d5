import Testing
import WatchLink

@testable import TapLatency

/// The samples with which a handler's messages are tried.
struct MessageSamplesTests {
    @Test(arguments: [1, 2, 5, 16, 24, 26, 79, 80])
    func `each is one item of CBOR that fits, and the longest text and bytes are among them`(size: Int) throws {
        let samples = MessageSamples.values(upTo: size)
        for sample in samples {
            var reader = CBORReader(sample.span)
            try reader.skip()
            let isWhole = reader.isAtEnd
            #expect(isWhole, "\(sample)")
            #expect(sample.count <= size)
        }
        #expect(samples.filter { $0.count == size }.contains { $0[0] >> 5 == 2 })
        #expect(samples.filter { $0.count == size }.contains { $0[0] >> 5 == 3 })
    }

    @Test func `files are short and as long as they may be, and one is a picture where there is room`() {
        #expect(MessageSamples.files(upTo: 0).isEmpty)
        #expect(MessageSamples.files(upTo: 20).map(\.count) == [1, 20])
        let files = MessageSamples.files(upTo: 4_096)
        #expect(files.map(\.count) == [1, 11 + 18 * 168, 4_096])
        #expect(files[1].starts(with: Array("P4\n144 168\n".utf8)))
    }
}
