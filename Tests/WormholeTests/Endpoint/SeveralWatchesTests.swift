import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct SeveralWatchesTests {
    @Test(arguments: AirKind.allCases)
    func `A phone serves several watches over one listener, each with a queue of its own`(_ kind: AirKind) async throws
    {
        let air = try kind.make()
        let applied = Recorder<String>()
        let store = MessageStore.inMemory { message throws(WormholeError) in
            guard case .queued(_, let payload) = message.content else { return .applied }
            applied.append("\(message.peer) \(try MessageDecoder().decode(Int.self, from: payload))")
            return .applied
        }
        let phone = Wormhole.quick(.phone, .listens(try air.listener()), store)
        try await phone.start()
        var watches: [PeerIdentity: Wormhole] = [:]
        for number in 1...3 as ClosedRange<UInt64> {
            let watchStore = MessageStore.inMemory()
            _ = try watchStore.identity(proposal: number)
            let watch = Wormhole.quick(.watch, .connects(air.connector), watchStore)
            try await watch.start()
            let peer = PeerIdentity(rawValue: number)
            await phone.waitUntilReachable(peer)
            watches[peer] = watch
        }
        let lists = watches.mapValues { $0.messages(of: String.self, under: "list") }
        try await phone.pass("all", under: "list", delivery: .queued)
        for peer in watches.keys { try await phone.pass("\(peer)", under: "list", delivery: .queued, to: .only(peer)) }
        for (peer, list) in lists { #expect(try await list.first(2) == ["all", "\(peer)"]) }
        for watch in watches.values { try await watch.pass(7, under: "check", delivery: .queued) }
        await applied.wait(for: 3)
        #expect(Set(applied.all) == Set(watches.keys.map { "\($0) 7" }))
        for watch in watches.values { await watch.close() }
        await phone.close()
    }

    @Test func `A watch that never comes again fills its own queue, and keeps nothing from the others`() async throws {
        let link = InMemoryLink()
        let store = MessageStore.inMemory()
        let (gone, here) = (PeerIdentity(rawValue: 1), PeerIdentity(rawValue: 2))
        for peer in [gone, here] { _ = try store.resume(peer, handshake: nil, newEpoch: 5) }
        let limit = MessageStore.mostWaiting
        let message = OutboundMessage(name: "list", payload: [1])
        try store.fill(limit, message, to: gone)
        let phone = Wormhole.quick(.phone, .listens(link.listener), store)
        let handle = try #require(try await phone.pass("all", under: "list", delivery: .queued))
        #expect(handle.copies[gone]?.fate == .failed(.queueFull(limit: limit)))
        #expect(handle.copies[here]?.fate == .queued)
        #expect(try store.issued(to: here).queued == 1)
        await #expect(throws: WormholeError.queueFull(limit: limit)) {
            try await phone.pass("one", under: "list", delivery: .queued, to: .only(gone))
        }
        await phone.close()
    }

    @Test func `A watch that connects again takes the place of its older connection`() async throws {
        let link = InMemoryLink()
        let phone = Wormhole.quick(.phone, .listens(link.listener))
        try await phone.start()
        let store = MessageStore.inMemory()
        _ = try store.identity(proposal: 5)
        let watch = PeerIdentity(rawValue: 5)
        let older = Wormhole.quick(.watch, .connects(link.connector), store)
        try await older.start()
        await phone.waitUntilReachable(watch)
        // The older connection dies without a word, and the phone does not know yet.
        link.silence()
        // It does not come back and take the place in turn.
        async let closing: Void = older.close()
        let newer = Wormhole.quick(.watch, .connects(link.connector), store)
        let heard = newer.messages(of: Int.self, under: "a")
        try await newer.start()
        await newer.waitUntilReachable(.phone)
        try await phone.pass(1, under: "a")
        #expect(try await heard.first(1) == [1])
        await closing
        for endpoint in [newer, phone] { await endpoint.close() }
    }

    @Test func `The peers that were away longest are forgotten, so that inventing identities costs no memory`() {
        let board = ReachabilityBoard()
        let peers = (1...10).map { PeerIdentity(rawValue: $0) }
        for peer in peers { _ = board.note(peer, .connectionLost, at: Instant(microseconds: peer.rawValue)) }
        let hello = Hello(role: .watch, identity: 1, epoch: 3, limits: LinkLimits(largestSDU: 512))
        _ = board.note(peers[0], saying: hello, at: Instant(microseconds: 20))
        #expect(board.forgetUnreachable(keeping: 4) == Array(peers[1...5]))
        #expect(board.peers.sorted() == [peers[0]] + peers[6...])
        #expect(board.forgetUnreachable(keeping: 4).isEmpty)
    }

    @Test func `What the store queues by itself is sent once the endpoint is told`() async throws {
        let pair = try await Pair.started(.memory)
        let watch = try await pair.watchIdentity()
        let heard = pair.watch.messages(of: Int.self, under: "list")
        let payload = try MessageEncoder().encode(41)
        _ = try pair.phoneStore.append(OutboundMessage(name: "list", payload: payload), to: watch)
        try await pair.phone.call { machine throws(WormholeError) in
            try machine.outgoingChanged(for: .only(watch))
        }
        #expect(try await heard.first(1) == [41])
        await pair.close()
    }
}
