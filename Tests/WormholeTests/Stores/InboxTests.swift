import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct InboxTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("store") }
    private let watch = PeerIdentity(rawValue: 77)

    private func inbound(_ sequence: UInt32) -> InboundMessage {
        InboundMessage(peer: watch, epoch: 9, sequence: sequence, content: .queued("m", payload: [UInt8(sequence)]))
    }

    @Test
    func `A message that was applied waits in the inbox until it is taken, also through a restart`() async throws {
        let before = try MessageStore(path: path, keeping: 10)
        _ = try before.resume(watch, handshake: nil, newEpoch: 5)
        for sequence in [1, 2, 2, 3] as [UInt32] {
            #expect(try before.apply(inbound(sequence)).acknowledged == .applied)
        }
        before.close()
        let store = try MessageStore(path: path, keeping: 10)
        #expect(try await store.inbox().map(\.message.payload) == [[1], [2], [3]])
        let first = try #require(try await store.inbox().first)
        #expect(first.message.name == "m" && first.message.origin == .peer(watch))
        try await store.take(first.number)
        try await store.take(first.number)
        #expect(try await store.inbox().map(\.message.payload) == [[2], [3]])
        #expect(try await store.inbox(after: first.number + 1).map(\.message.payload) == [[3]])
        store.close()
    }

    @Test func `A full inbox rejects what comes, and has room again once something is taken`() async throws {
        let store = try MessageStore(path: path, keeping: 2)
        _ = try store.resume(watch, handshake: nil, newEpoch: 5)
        #expect(try store.apply(inbound(1)).acknowledged == .applied)
        #expect(try store.apply(inbound(2)).acknowledged == .applied)
        #expect(try store.apply(inbound(3)) == .rejected(.noRoom))
        try await store.take(try #require(try await store.inbox().first).number)
        #expect(try store.apply(inbound(4)).acknowledged == .applied)
        #expect(try await store.inbox().map(\.message.payload) == [[2], [4]])
        store.close()
    }
}
