import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

/// Two watches set the value of the same name, and one of them restarts. It sends its old value again, which must not
/// replace the newer value of the other watch.
@Suite(.timeLimit(.minutes(60)))
struct PassedValueTableTests {
    private let first = PeerIdentity(rawValue: 1)
    private let second = PeerIdentity(rawValue: 2)

    private func meet(
        _ store: MessageStore, _ peer: PeerIdentity, run: UInt32, issued: UInt32 = 0
    ) async throws {
        var hello = Hello(role: .watch, identity: peer.rawValue, epoch: run, limits: LinkLimits(largestSDU: 512))
        hello.latestIssued = issued
        _ = try store.resume(peer, handshake: PeerHandshake(hello: hello, largestBody: 500), newEpoch: 50)
    }

    private func pass(
        _ store: MessageStore, _ value: UInt8?, from peer: PeerIdentity, run: UInt32, _ revision: UInt32,
        under name: MessageName = "taps"
    ) async throws -> ArrivalOutcome {
        let content: InboundMessage.Content = value.map { .latest(name, payload: [$0]) } ?? .cleared(name)
        return try store.apply(InboundMessage(peer: peer, epoch: run, sequence: revision, content: content))
    }

    /// Returns a store that got `value` from the first watch (run 3), and then 7 from the second watch (run 9). If
    /// `value` is nil, the first watch cleared the name.
    private func passed(_ value: UInt8? = 5) async throws -> MessageStore {
        let store = MessageStore.inMemory()
        try await meet(store, first, run: 3)
        try await meet(store, second, run: 9)
        #expect(try await pass(store, value, from: first, run: 3, 1) == .applied)
        #expect(try await pass(store, 7, from: second, run: 9, 1) == .applied)
        return store
    }

    @Test
    func `An unchanged value does not replace the newer one of another watch, and a changed one does`() async throws {
        let store = try await passed()
        try await meet(store, first, run: 4, issued: 1)
        #expect(try await pass(store, 5, from: first, run: 4, 1) == .repeated)
        #expect(try store.currentValue(under: "taps") == [7])
        try await meet(store, first, run: 5, issued: 1)
        #expect(try await pass(store, 6, from: first, run: 5, 1) == .applied)
        #expect(try store.currentValue(under: "taps") == [6])
    }

    @Test func `A name that was cleared before the restart stays with the value that another watch has passed since`()
        async throws
    {
        let store = try await passed(nil)
        try await meet(store, first, run: 4, issued: 1)
        #expect(try await pass(store, nil, from: first, run: 4, 1) == .repeated)
        #expect(try store.currentValue(under: "taps") == [7])
    }

    @Test
    func
        `The same value is new where it is passed once more: in the same run, after the hello, or above all revisions before`()
        async throws
    {
        let store = try await passed()
        #expect(try await pass(store, 5, from: first, run: 3, 2) == .applied, "in the same run")
        #expect(try await pass(store, 7, from: second, run: 9, 2) == .applied)
        try await meet(store, first, run: 4, issued: 1)
        #expect(try await pass(store, 5, from: first, run: 4, 2) == .applied, "after the hello")
        #expect(try await pass(store, 7, from: second, run: 9, 3) == .applied)
        try await meet(store, first, run: 5, issued: 3)
        #expect(try await pass(store, 5, from: first, run: 5, 3) == .applied, "above the 2 of the run before")
        #expect(try store.currentValue(under: "taps") == [5])
    }

    @Test
    func `A watch that restarts twice before it sends its value again sends it again all the same`() async throws {
        let store = try await passed()
        try await meet(store, first, run: 4, issued: 1)
        try await meet(store, first, run: 5, issued: 1)
        #expect(try await pass(store, 5, from: first, run: 5, 1) == .repeated)
        #expect(try await pass(store, 5, from: first, run: 5, 2) == .applied, "it was sent again once")
    }

    @Test func `Once a watch has our value it does not send its own again: the same one is new`() async throws {
        let store = try await passed()
        let revision = try store.replace("taps", with: [9], for: .everyone)
        try await meet(store, first, run: 4, issued: 1)
        #expect(try await pass(store, 5, from: first, run: 4, 1) == .repeated, "ours is under way")
        #expect(try store.currentValue(under: "taps") == [9])
        try store.acknowledged(Acknowledgement(queued: 0, latest: revision), by: first)
        try await meet(store, first, run: 5, issued: 1)
        #expect(try await pass(store, 5, from: first, run: 5, 1) == .applied)
        #expect(try store.currentValue(under: "taps") == [5])
    }

    @Test func `Of one watch 64 names are remembered, those that it has passed last`() async throws {
        let store = MessageStore.inMemory()
        try await meet(store, first, run: 3)
        for number in 1...(UInt32(PassedValueTable.mostNames) + 1) {
            _ = try await pass(store, 5, from: first, run: 3, number, under: try MessageName("name \(number)"))
        }
        try await meet(store, first, run: 4, issued: 65)
        #expect(try await pass(store, 5, from: first, run: 4, 1, under: "name 65") == .repeated)
        #expect(try await pass(store, 5, from: first, run: 4, 2, under: "name 2") == .repeated)
        #expect(try await pass(store, 5, from: first, run: 4, 3, under: "name 1") == .applied)
    }

    @Test func `Listeners do not hear it again`() async throws {
        let link = InMemoryLink()
        let phone = Wormhole.quick(.phone, .listens(link.listener))
        try await phone.start()
        let heard = phone.messages(of: Int.self, under: "taps")
        func watch(_ peer: PeerIdentity, passing value: Int) async throws -> Wormhole {
            let store = MessageStore.inMemory()
            _ = try store.identity(proposal: peer.rawValue)
            _ = try store.replace("taps", with: try MessageEncoder().encode(value), for: .everyone)
            let watch = Wormhole.quick(.watch, .connects(link.connector), store)
            try await watch.start()
            return watch
        }
        var iterator = heard.makeAsyncIterator()
        let before = try await watch(first, passing: 5)
        #expect(await iterator.next() == 5)
        let other = try await watch(second, passing: 7)
        #expect(await iterator.next() == 7)
        await before.close()
        // The first watch restarts with a new store, which numbers its values from 1.
        let others = phone.messages(of: Int.self, under: "other")
        let after = try await watch(first, passing: 5)
        // The watch sends this after its value of "taps".
        try await after.pass(1, under: "other")
        #expect(try await others.first(1) == [1])
        #expect(try await phone.value(of: Int.self, under: "taps") == 7)
        try await after.pass(8, under: "taps")
        #expect(await iterator.next() == 8)
        for end in [after, other, phone] { await end.close() }
    }
}
