import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

/// A watch that refuses some of the offered files because it is busy with others.
@Suite(.timeLimit(.minutes(60)))
struct BusyReceiverTests {
    private struct World {
        let pair: FilePair
        let clock = ManualClock()
        let store = MessageStore.inMemory()
        let watch: RawWatch
        let identity: PeerIdentity

        init() async throws {
            pair = try FilePair(phoneStore: store, phoneClock: clock)
            try await pair.phone.start()
            watch = try await RawWatch(pair.link.connector)
            identity = try await pair.watchIdentity()
        }

        func send(_ label: FileLabel) async throws -> FileTransfer {
            try await pair.phone.send(fileAt: try pair.file(content(100)), as: label, to: identity)
        }

        func offer() async throws -> UInt32 {
            let next = try #require(await watch.next())
            #expect(next.header.step == .offer)
            return next.header.number
        }
    }

    @Test func `A file for which it is busy is offered again when another has ended, and its fate stays what it was`()
        async throws
    {
        let world = try await World()
        let first = try await world.send("first")
        #expect(try await world.offer() == 1)
        try await world.watch.say(1, .resume(from: 100))
        let second = try await world.send("second")
        #expect(try await world.offer() == 2)
        try await world.watch.say(2, .refusal(.busy))
        // The phone ignores further answers to the offer that the watch has refused.
        try await world.watch.say(2, .resume(from: 0))
        #expect(try await world.watch.settle(1).isEmpty)
        #expect(second.fate == .sent)
        #expect(try world.store.transfers().map(\.state) == [.begun, .begun])
        #expect(try await world.pair.phone.filesUnderWay().map(\.number) == [first.number, second.number])
        try await world.watch.say(1, .done)
        #expect(try await world.offer() == 3)
        #expect(await first.finalFate() == .applied && second.fate == .sent)
        try await world.watch.say(3, .resume(from: 100))
        try await world.watch.say(3, .done)
        #expect(await second.finalFate() == .applied)
        await world.pair.close()
    }

    @Test func `Another that is cancelled or refused has ended too`() async throws {
        let world = try await World()
        let first = try await world.send("first")
        #expect(try await world.offer() == 1)
        _ = try await world.send("second")
        #expect(try await world.offer() == 2)
        try await world.watch.say(2, .refusal(.busy))
        #expect(try await world.watch.settle(1).isEmpty)
        await first.cancel()
        #expect(await world.watch.next()?.header == FileHeader(number: 1, step: .cancel(.cancelled)))
        #expect(try await world.offer() == 3)
        try await world.watch.say(3, .resume(from: 0))
        #expect(await world.watch.next()?.header.step == .chunk(at: 0))
        _ = try await world.send("third")
        #expect(try await world.offer() == 4)
        try await world.watch.say(4, .refusal(.busy))
        try await world.watch.say(3, .refusal(.noRoom))
        #expect(try await world.offer() == 5)
        await world.pair.close()
    }

    @Test func `The sender sees that the receiver is busy and when it is offered the file again, until that takes it`()
        async throws
    {
        let world = try await World()
        let transfer = try await world.send("file")
        var progress = transfer.progress.makeAsyncIterator()
        #expect(await progress.next() == FileProgress(done: 0, total: 100))
        try await world.watch.say(try await world.offer(), .refusal(.busy))
        #expect(await progress.next() == FileProgress(done: 0, total: 100, busyFor: 1_000))
        world.clock.advance(by: .seconds(1))
        try await world.watch.say(try await world.offer(), .refusal(.busy))
        #expect(await progress.next() == FileProgress(done: 0, total: 100, busyFor: 2_000))
        world.clock.advance(by: .seconds(2))
        try await world.watch.say(try await world.offer(), .resume(from: 0))
        #expect(await progress.next() == FileProgress(done: 0, total: 100))
        await world.pair.close()
    }

    @Test func `A receiver that has gone is not called busy`() async throws {
        let world = try await World()
        let transfer = try await world.send("file")
        var progress = transfer.progress.makeAsyncIterator()
        _ = await progress.next()
        try await world.watch.say(try await world.offer(), .refusal(.busy))
        #expect(await progress.next()?.busyFor == 1_000)
        world.pair.link.cut()
        #expect(await progress.next() == FileProgress(done: 0, total: 100))
        await world.pair.close()
    }

    @Test func `One that waits is cancelled like any other, and nothing is said of it`() async throws {
        let world = try await World()
        let transfer = try await world.send("file")
        try await world.watch.say(try await world.offer(), .refusal(.busy))
        #expect(try await world.watch.settle(1).isEmpty)
        await transfer.cancel()
        #expect(transfer.fate == .failed(.cancelled))
        world.clock.advance(by: .seconds(60))
        #expect(try await world.watch.settle(2).isEmpty)
        await world.pair.close()
    }

    @Test func `A new link offers it at once`() async throws {
        let world = try await World()
        let transfer = try await world.send("file")
        try await world.watch.say(try await world.offer(), .refusal(.busy))
        #expect(try await world.watch.settle(1).isEmpty)
        let next = try await RawWatch(world.pair.link.connector)
        #expect(await next.next()?.header == FileHeader(number: 1, step: .offer))
        try await next.say(1, .resume(from: 100))
        try await next.say(1, .done)
        #expect(await transfer.finalFate() == .applied)
        await world.pair.close()
    }
}
