import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct FileQueueBoundTests {
    @Test
    func `64 files wait for one watch, and 4 are offered; one more is an error, and other watches have room`()
        async throws
    {
        let pair = try FilePair()
        try await pair.phone.start()
        let watch = try await RawWatch(pair.link.connector)
        let (identity, path) = (try await pair.watchIdentity(), try pair.file([1, 2, 3]))
        for number in 1...64 {
            _ = try await pair.phone.send(fileAt: path, as: FileLabel("file \(number)"), to: identity)
        }
        await #expect(throws: WormholeError.queueFull(limit: 64)) {
            try await pair.phone.send(fileAt: path, as: "one more", to: identity)
        }
        #expect(try await pair.phone.filesUnderWay().count == 64)
        #expect(try await watch.settle(1).map(\.step) == [.offer, .offer, .offer, .offer])
        // When a transfer ends, the phone offers the next file, and the queue has room for one more.
        try await watch.say(1, .refusal(.badLabel))
        #expect(await watch.next()?.header == FileHeader(number: 5, step: .offer))
        _ = try await pair.phone.send(fileAt: path, as: "one more", to: identity)
        await pair.close()
    }
}
