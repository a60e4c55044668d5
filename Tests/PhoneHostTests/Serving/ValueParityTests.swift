import GRDB
import Testing
import WatchLink
import Wormhole
import WormholeTesting

@testable import PhoneHost

/// A name has one value, whoever has passed it last: the rules of a served phone's store and of a program's own are the same.
@Suite struct ValueParityTests {
    enum Keeper: CaseIterable {
        case servedPhone
        case program
    }

    private let bench: WatchBench
    private let first = PeerIdentity(rawValue: 0xF00D_0000_0000_0001)
    private let second = PeerIdentity(rawValue: 0xF00D_0000_0000_0002)
    private let third = PeerIdentity(rawValue: 0xF00D_0000_0000_0003)

    init() throws { bench = try WatchBench() }

    private func store(_ keeper: Keeper) -> any MessageStorage {
        switch keeper {
        case .servedPhone: bench.messages
        case .program: MessageStore.inMemory()
        }
    }

    @discardableResult
    private func meet(
        _ store: any MessageStorage, _ peer: PeerIdentity, knows: UInt32 = 0, latestApplied: UInt32 = 0
    ) async throws -> PeerStreams {
        var hello = Hello(role: .watch, identity: peer.rawValue, epoch: 3, limits: LinkLimits(largestSDU: 512))
        hello.knownEpoch = knows
        hello.latestApplied = latestApplied
        return try store.resume(peer, handshake: PeerHandshake(hello: hello, largestBody: 500), newEpoch: 50)
    }

    private func pass(
        _ store: any MessageStorage, _ value: UInt8?, from peer: PeerIdentity, _ revision: UInt32 = 1,
        under name: MessageName = "score"
    ) async throws -> ArrivalOutcome {
        let content: InboundMessage.Content = value.map { .latest(name, payload: [$0]) } ?? .cleared(name)
        return try store.apply(InboundMessage(peer: peer, epoch: 3, sequence: revision, content: content))
    }

    /// The values under `score` that a peer is sent which has applied none.
    private func sent(_ store: any MessageStorage, to peer: PeerIdentity) async throws -> [[UInt8]?] {
        var values: [[UInt8]?] = []
        var revision: UInt32 = 0
        while let next = try store.value(after: revision, for: peer) {
            if next.name == "score" { values.append(next.payload) }
            revision = next.revision
        }
        return values
    }

    private func acknowledge(_ store: any MessageStorage, _ revision: UInt32, by peer: PeerIdentity) async throws {
        try store.acknowledged(Acknowledgement(queued: 0, latest: revision), by: peer)
    }

    @Test(arguments: Keeper.allCases, [7, nil] as [UInt8?])
    func `our value is sent to nobody once a watch has passed a newer one`(keeper: Keeper, newer: UInt8?) async throws {
        let store = store(keeper)
        try await meet(store, first)
        try await meet(store, second)
        let revision = try store.replace("score", with: [1], for: .everyone)
        try await acknowledge(store, revision, by: first)
        #expect(try await sent(store, to: second) == [[1]])
        #expect(try await pass(store, newer, from: first) == .applied)
        #expect(try store.currentValue(under: "score") == newer.map { [$0] })
        #expect(try await sent(store, to: second).isEmpty)
        let issued = try await meet(store, third).positions.latestIssued
        #expect(issued < revision, "it would wait for a value that never comes")
        #expect(try await sent(store, to: third).isEmpty)
        _ = try store.replace("score", with: [9], for: .everyone)
        #expect(try await sent(store, to: third) == [[9]])
    }

    @Test(arguments: Keeper.allCases) func `a value for one watch gives way, too`(keeper: Keeper) async throws {
        let store = store(keeper)
        try await meet(store, first)
        try await meet(store, second)
        _ = try store.replace("score", with: [1], for: .only(second))
        #expect(try await pass(store, 7, from: first) == .applied)
        #expect(try await sent(store, to: second).isEmpty)
    }

    @Test(arguments: Keeper.allCases)
    func `where both sides pass a value at the same moment the phone's stands`(keeper: Keeper) async throws {
        let store = store(keeper)
        try await meet(store, first)
        let revision = try store.replace("score", with: [1], for: .everyone)
        #expect(try await pass(store, 7, from: first) == .applied)
        #expect(try store.currentValue(under: "score") == [1])
        #expect(try await sent(store, to: first) == [[1]])
        try await acknowledge(store, revision, by: first)
        #expect(try await pass(store, 8, from: first, 2) == .applied)
        #expect(try store.currentValue(under: "score") == [8])
    }

    @Test(arguments: Keeper.allCases)
    func `what a restarted watch sends again does not take our newer value back`(keeper: Keeper) async throws {
        let store = store(keeper)
        try await meet(store, first)
        #expect(try await pass(store, 5, from: first) == .applied)
        let revision = try store.replace("score", with: [1], for: .everyone)
        var hello = Hello(role: .watch, identity: first.rawValue, epoch: 4, limits: LinkLimits(largestSDU: 512))
        hello.latestIssued = 1
        _ = try store.resume(
            first, handshake: PeerHandshake(hello: hello, largestBody: 500), newEpoch: 50)
        let again = InboundMessage(
            peer: first, epoch: 4, sequence: 1, content: .latest("score", payload: [5]))
        #expect(try store.apply(again) == .repeated)
        #expect(try store.value(after: revision - 1, for: second)?.payload == [1])
    }

    /// Otherwise it would look like a watch of another database, and be sent everything again.
    @Test(arguments: Keeper.allCases)
    func `a watch may have applied the value that has given way, though its word of that was lost`(
        keeper: Keeper
    ) async throws {
        let store = store(keeper)
        try await meet(store, first)
        let epoch = try await meet(store, second).epoch
        let revision = try store.replace("score", with: [1], for: .everyone)
        try await acknowledge(store, revision, by: first)
        #expect(try await pass(store, 7, from: first) == .applied)
        let streams = try await meet(store, second, knows: epoch, latestApplied: revision)
        #expect(streams.positions.latestIssued >= revision)
        #expect(streams.positions.latestAcknowledged == revision)
        #expect(bench.notices.isEmpty)
    }

    @Test func `the names of the list are the phone's own`() async throws {
        let store = bench.messages
        try await meet(store, first)
        let title = try #require(try store.currentValue(under: MessageName(.title)))
        let issued = try store.issued(to: first).latest
        try await acknowledge(store, issued, by: first)
        #expect(try await pass(store, 7, from: first, under: MessageName(.title)) == .applied)
        #expect(try store.currentValue(under: MessageName(.title)) == title)
        try await meet(store, second)
        #expect(try store.value(after: 0, for: second) != nil)
    }
}
