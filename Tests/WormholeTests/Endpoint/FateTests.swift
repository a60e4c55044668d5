import HostSystem
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct FateTests {
    @Test(arguments: AirKind.allCases)
    func `A queued message goes through every stage to applied`(_ kind: AirKind) async throws {
        let pair = try Pair(kind)
        let handle = try #require(try await pair.watch.pass(1, under: "check", delivery: .queued))
        #expect(handle.fate == .queued)
        try await pair.start()
        let copy = try #require(handle.copies[.phone])
        #expect(await copy.finalFate() == .applied)
        #expect(try await copy.fates.first(9) == [.queued, .sent, .delivered, .applied])
        #expect(handle.fate == .applied)
        await pair.close()
    }

    @Test(arguments: AirKind.allCases)
    func `A message that the receiver refuses fails with its reason and delays no other`(_ kind: AirKind) async throws {
        let store = MessageStore.inMemory { message throws(WormholeError) in
            message.sequence == 1 ? .rejected(.refused) : .applied
        }
        let pair = try Pair(kind, phoneStore: store)
        let first = try #require(try await pair.watch.pass(1, under: "check", delivery: .queued))
        let second = try #require(try await pair.watch.pass(2, under: "check", delivery: .queued))
        try await pair.start()
        #expect(await first.finalFates() == [.phone: .failed(.rejected(.refused))])
        #expect(await second.finalFates() == [.phone: .applied])
        await pair.close()
    }

    @Test(arguments: AirKind.allCases)
    func `A value that was replaced before it was sent expires; the newest is applied`(_ kind: AirKind) async throws {
        let pair = try Pair(kind)
        var handles: [MessageHandle] = []
        for number in 1...5 { handles.append(try #require(try await pair.watch.pass(number, under: "time"))) }
        #expect(handles.map(\.fate) == [.expired, .expired, .expired, .expired, .queued])
        let heard = pair.phone.messages(of: Int.self, under: "time")
        try await pair.start()
        #expect(await handles[4].finalFates() == [.phone: .applied])
        #expect(try await heard.first(1) == [5])
        await pair.close()
    }

    @Test
    func `A message larger than the peer takes is an error when the peer is known, with nothing kept`() async throws {
        let pair = try await Pair.started(.memory, watchTakes: 100)
        let large = [UInt8](repeating: 0, count: 200)
        let size = 202 + 5
        await #expect(throws: WormholeError.messageTooLarge(bytes: size, limit: 100)) {
            try await pair.phone.pass(large, under: "list", delivery: .queued)
        }
        await #expect(throws: WormholeError.messageTooLarge(bytes: size, limit: 100)) {
            try await pair.phone.pass(large, under: "list")
        }
        #expect(try await pair.phone.value(of: [UInt8].self, under: "list") == nil)
        await pair.close()
    }

    @Test(arguments: AirKind.allCases)
    func `A message larger than the peer that comes fails, and those behind it are applied`(_ kind: AirKind)
        async throws
    {
        let pair = try await Pair.started(kind, watchTakes: 100)
        let identity = try await pair.watchIdentity()
        await pair.close()

        // The same stores, in a new phone that has not met the watch.
        let again = try Pair(kind, phoneStore: pair.phoneStore, watchStore: pair.watchStore, watchTakes: 100)
        let large = [UInt8](repeating: 0, count: 200)
        let first = try #require(try await again.phone.pass(large, under: "list", delivery: .queued))
        let second = try #require(try await again.phone.pass(2, under: "list", delivery: .queued))
        let third = try #require(try await again.phone.pass(large, under: "now"))
        let fourth = try #require(try await again.phone.pass(4, under: "then"))
        try await again.start()
        let failure = MessageFate.failed(.tooLarge(bytes: 207, limit: 100))
        #expect(await first.finalFates() == [identity: failure])
        #expect(await second.finalFates() == [identity: .applied])
        #expect(await third.finalFates() == [identity: .failed(.tooLarge(bytes: 206, limit: 100))])
        #expect(await fourth.finalFates() == [identity: .applied])
        await again.close()
    }

    @Test func `Queueing for everyone while no peer is known is an error, and for a stranger too`() async throws {
        let pair = try Pair(.memory)
        await #expect(throws: WormholeError.unknownPeer) {
            try await pair.phone.pass(1, under: "list", delivery: .queued)
        }
        await #expect(throws: WormholeError.unknownPeer) {
            try await pair.phone.pass(1, under: "list", delivery: .queued, to: .only(PeerIdentity(rawValue: 5)))
        }
        await pair.close()
    }

    @Test func `Two followers that ask for a message in the same turn both get its last fate`() async throws {
        let before = try Pair(.memory)
        let handle = try #require(try await before.watch.pass(1, under: "check", delivery: .queued))
        let number = try #require(handle.copies[.phone]?.number)
        await before.close()

        // The next endpoint has only the stored message.
        let watch = try Pair(.memory, watchStore: before.watchStore).watch
        let gate = WaitableState(0)
        watch.enqueue { .always { _ in gate.block { $0 > 0 ? .finish(()) : .wait(microseconds: nil) } } }
        let asked = (1...2).map { _ in Task.immediate { try await watch.copy(of: number) } }
        gate.change { $0 = 1 }
        var copies: [MessageCopy] = []
        for task in asked { copies.append(try await task.value) }
        try await watch.cancel(number)
        #expect(copies.map(\.fate) == [.expired, .expired])
        await watch.close()
    }

    @Test func `A fate only ever moves on`() async throws {
        let copy = MessageCopy()
        copy.advance(to: .delivered)
        copy.advance(to: .sent)
        #expect(copy.fate == .delivered)
        copy.advance(to: .expired)
        copy.advance(to: .applied)
        #expect(try await copy.fates.first(9) == [.queued, .delivered, .expired])
    }
}
