import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct ReachabilityTests {
    @Test(arguments: AirKind.allCases)
    func `Reachability begins with never, and has its evidence`(_ kind: AirKind) async throws {
        let pair = try Pair(kind)
        let before = PeerReachability.Unreachable(since: nil, reason: .neverConnected)
        #expect(await pair.watch.reachability(of: .phone) == .unreachable(before))
        try await pair.start()
        let evidence = try #require(await pair.watch.evidence(of: .phone))
        #expect(evidence.hello.role == .phone)
        #expect(evidence.hello.name == LinkName("test phone"))
        #expect(evidence.lastHeard >= evidence.since)
        await pair.close()
    }

    @Test(arguments: AirKind.allCases)
    func `A peer that closes says so, and is reachable again when it comes back`(_ kind: AirKind) async throws {
        let pair = try await Pair.started(kind)
        let changes = pair.watch.reachabilityChanges()
        await pair.phone.close()
        let change = try #require(try await changes.first(2).last)
        guard case .unreachable(let evidence) = change.reachability else {
            Issue.record("reachable although it has said goodbye")
            return
        }
        #expect(evidence.reason == .closed(.peerLeft(Goodbye(.goingAway))))
        let phone = Wormhole.quick(.phone, .listens(try pair.air.listener()), pair.phoneStore)
        try await phone.start()
        await pair.watch.waitUntilReachable(.phone)
        await phone.close()
        await pair.watch.close()
    }

    @Test func `A host that has died without a word is found within the supervision time, and one that answers is not`()
        async throws
    {
        let clock = ManualClock()
        let link = InMemoryLink()
        let phone = Wormhole.quick(.phone, .listens(link.listener), timing: LinkTiming(), clock: clock)
        let watchStore = MessageStore.inMemory()
        let watch = Wormhole.quick(.watch, .connects(link.connector), watchStore, timing: LinkTiming(), clock: clock)
        try await phone.start()
        try await watch.start()
        await watch.waitUntilReachable(.phone)

        let identity = PeerIdentity(rawValue: try watchStore.identity(proposal: 1))
        await phone.waitUntilReachable(identity)

        // For an hour, the two exchange nothing but pings and pongs.
        let end = clock.now + .seconds(3_600)
        while clock.now < end {
            let heardByWatch = try #require(await watch.lastHeard(of: .phone))
            let heardByPhone = try #require(await phone.lastHeard(of: identity))
            clock.advance(by: .seconds(2))
            while await watch.lastHeard(of: .phone) == heardByWatch { await Task.yield() }
            while await phone.lastHeard(of: identity) == heardByPhone { await Task.yield() }
        }

        let lastHeard = try #require(await watch.lastHeard(of: .phone))
        link.silence()
        let found = Task { await watch.waitUntilUnreachable(.phone) }
        while await watch.reachability(of: .phone).isReachable {
            clock.advance(by: .milliseconds(100))
            for _ in 0..<20 { await Task.yield() }
        }
        #expect(await found.value == .closed(.silent))
        #expect(clock.now - lastHeard >= .seconds(6))
        await clock.run(until: { await watch.reachability(of: .phone).isReachable })
        await phone.close()
        await watch.close()
    }

    private static func hello(answering watch: [UInt8]) throws -> [UInt8]? {
        var session = Session(
            identity: LinkIdentity(role: .phone, identity: 3, epoch: 4), limits: LinkLimits(largestSDU: 512))
        session.connected(at: .start, maximumSDU: 512)
        _ = session.receive(watch.span, at: .start)
        session.accept(StreamPositions(), at: .start)
        switch session.next(at: .start) {
        case .transmit(let request): return try datagram(session.frame(for: request))
        case .sendQueued, .sendLatest, .close, .wait: return nil
        }
    }

    @Test func `A peer that takes nothing is found although the sender waits for room`() async throws {
        let clock = ManualClock()
        let link = InMemoryLink(capacity: 1)
        let watch = Wormhole.quick(.watch, .connects(link.connector), timing: LinkTiming(), clock: clock)
        for number in 0..<20 { try await watch.pass(number, under: "check", delivery: .queued) }
        try await watch.start()
        // A phone that answers the hello and then takes nothing more.
        let channel = try await link.listener.accept()
        let hello = try Self.hello(answering: try await channel.receive())
        try await channel.send(try #require(hello, "the phone has no hello to send"))
        await watch.waitUntilReachable(.phone)
        let found = Task { await watch.waitUntilUnreachable(.phone) }
        await clock.run(until: { await !watch.reachability(of: .phone).isReachable })
        #expect(await found.value == .closed(.silent))
        // The watch may have connected again. Its goodbye would then wait for room until the clock advances.
        link.cut()
        await watch.close()
    }
}

extension Wormhole {
    fileprivate func evidence(of peer: PeerIdentity) async -> PeerReachability.Reachable? {
        if case .reachable(let evidence) = await reachability(of: peer) { evidence } else { nil }
    }

    fileprivate func lastHeard(of peer: PeerIdentity) async -> WatchLink.Instant? {
        await evidence(of: peer)?.lastHeard
    }
}

extension ManualClock {
    func run(until isDone: () async -> Bool) async {
        while await !isDone() {
            advance(by: .milliseconds(20))
            for _ in 0..<20 { await Task.yield() }
        }
    }
}
