import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct SlowReceiverTests {
    /// Makes a phone offer a file of `length` bytes to a raw watch. Runs `body` when the offer has arrived.
    private func offered(
        _ length: Int, _ body: (FilePair, RawWatch, FileTransfer) async throws -> Void
    ) async throws {
        let pair = try FilePair()
        try await pair.phone.start()
        let watch = try await RawWatch(pair.link.connector)
        let transfer = try await pair.phone.send(
            fileAt: try pair.file(content(length)), as: "film", to: try await pair.watchIdentity())
        #expect(await watch.next()?.header == FileHeader(number: 1, step: .offer))
        try await body(pair, watch, transfer)
        await pair.close()
    }

    @Test func `A receiver that writes nothing gets eight chunks, and messages all the same`() async throws {
        try await offered(1 << 20) { pair, watch, transfer in
            try await watch.say(1, .resume(from: 0))
            for index in 0..<OutgoingTransfer.window {
                let offset = UInt64(index * TransferLimits.longestChunk)
                #expect(await watch.next()?.header.step == .chunk(at: offset))
            }
            // The next frame is a message, not a ninth chunk.
            try await pair.phone.pass(1, under: "n", delivery: .queued)
            var next = try await watch.channel.receive()
            while FrameKind(rawValue: next[0]).isControl { next = try await watch.channel.receive() }
            #expect(FrameKind(rawValue: next[0]) == .queued)
            try await watch.say(1, .progress(to: 1))
            #expect(await watch.next()?.header.step == .chunk(at: UInt64(8 * TransferLimits.longestChunk)))
            var progress = transfer.progress.makeAsyncIterator()
            #expect(await progress.next() == FileProgress(done: 1, total: 1 << 20))
        }
    }

    @Test(arguments: [FileStep.done, .progress(to: 1), .resume(from: 101)])
    func `A receiver that says what it cannot know is sent away, and the file is not offered to it again`(
        _ step: FileStep
    ) async throws {
        try await offered(100) { pair, watch, transfer in
            try await watch.say(1, step)
            #expect(await watch.fault() == .brokenTransfer)
            #expect(await transfer.finalFate() == .failed(.brokenProtocol))
            #expect(try await pair.phone.filesUnderWay().isEmpty)
        }
    }

    @Test func `A receiver's reason is the sender's fate, a reason of another version too`() async throws {
        for reason in [.noRoom, .wrongHash, .tooLarge, FileReason(rawValue: 99)] {
            try await offered(100) { _, watch, transfer in
                try await watch.say(1, .refusal(reason))
                #expect(await transfer.finalFate() == .failed(.fileRefused(reason)))
                #expect(!reason.words.isEmpty && !reason.words.contains("\n"))
            }
        }
    }

    @Test func `A file that becomes shorter while it is sent ends its transfer on both sides`() async throws {
        try await offered(100_000) { pair, watch, transfer in
            _ = try pair.file([1, 2, 3])
            try await watch.say(1, .resume(from: 0))
            #expect(await watch.next()?.header.step == .cancel(.failed))
            #expect(await transfer.finalFate() == .failed(.fileRefused(.wrongHash)))
        }
    }
}
