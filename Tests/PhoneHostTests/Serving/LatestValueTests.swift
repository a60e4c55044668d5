import GRDB
import Testing
import WatchLink
import Wormhole

@testable import PhoneHost

@Suite struct LatestValueTests {
    private let bench: WatchBench
    private var store: MessageStore { bench.messages }
    private let first = PeerIdentity(rawValue: 0xF00D_0000_0000_0001)
    private let second = PeerIdentity(rawValue: 0xF00D_0000_0000_0002)
    private let third = PeerIdentity(rawValue: 0xF00D_0000_0000_0003)

    init() throws { bench = try WatchBench() }

    private func pass(
        _ value: UInt8?, from peer: PeerIdentity, _ revision: UInt32 = 1, run: UInt32 = 3,
        under name: MessageName = "score"
    ) throws -> ArrivalOutcome {
        let content: InboundMessage.Content = value.map { .latest(name, payload: [$0]) } ?? .cleared(name)
        return try store.apply(InboundMessage(peer: peer, epoch: run, sequence: revision, content: content))
    }

    /// Returns the `score` values that the phone sends to a peer that has applied no value yet.
    private func sent(to peer: PeerIdentity) throws -> [[UInt8]?] {
        var values: [[UInt8]?] = []
        var revision: UInt32 = 0
        while let next = try store.value(after: revision, for: peer) {
            if next.name == "score" { values.append(next.payload) }
            revision = next.revision
        }
        return values
    }

    private func acknowledge(_ revision: UInt32, by peer: PeerIdentity) throws {
        try store.acknowledged(Acknowledgement(queued: 0, latest: revision), by: peer)
    }

    @discardableResult
    private func meet(_ peer: PeerIdentity) async throws -> PeerStreams { try await bench.meet(.init(identity: peer)) }

    @Test(arguments: [7, nil] as [UInt8?])
    func `our value is sent to no watch once a watch has passed a newer one`(newer: UInt8?) async throws {
        try await meet(first)
        try await meet(second)
        let revision = try store.replace("score", with: [1], for: .everyone)
        try acknowledge(revision, by: first)
        #expect(try sent(to: second) == [[1]])
        #expect(try pass(newer, from: first) == .applied)
        #expect(try store.currentValue(under: "score") == newer.map { [$0] })
        #expect(try sent(to: second).isEmpty)
        let issued = try await meet(third).positions.latestIssued
        #expect(issued < revision, "it would wait for a value that never comes")
        #expect(try sent(to: third).isEmpty)
        _ = try store.replace("score", with: [9], for: .everyone)
        #expect(try sent(to: third) == [[9]])
    }

    @Test func `a value for one watch gives way, too`() async throws {
        try await meet(first)
        try await meet(second)
        _ = try store.replace("score", with: [1], for: .only(second))
        #expect(try pass(7, from: first) == .applied)
        #expect(try sent(to: second).isEmpty)
    }

    /// If the phone did not allow for this, it would assume that its database was restored to an older copy, and send
    /// everything again.
    @Test func `a watch may have applied the value that has given way, though its word of that was lost`() async throws
    {
        try await meet(first)
        let epoch = try await meet(second).epoch
        let revision = try store.replace("score", with: [1], for: .everyone)
        try acknowledge(revision, by: first)
        #expect(try pass(7, from: first) == .applied)
        let streams = try await bench.meet(.init(knows: epoch, valuesApplied: revision, identity: second))
        #expect(streams.positions.latestIssued >= revision)
        #expect(streams.positions.latestAcknowledged == revision)
        #expect(bench.notices.isEmpty)
    }

    @Test func `what a restarted watch sends again is old also after a restart of the phone, until it is forgotten`()
        async throws
    {
        try await meet(first)
        try await meet(second)
        _ = try pass(5, from: first)
        _ = try pass(7, from: second)
        try await bench.restart()
        try await bench.meet(.init(run: 4, valuesIssued: 1))
        #expect(try pass(5, from: first, run: 4) == .repeated)
        try await bench.forget()
        let left = try await bench.store.read {
            try Int64.fetchAll($0, sql: "SELECT peer FROM passedValue").map { PeerIdentity(column: $0) }
        }
        #expect(left == [second])
    }

    @Test func `the names of the list are the phone's own`() async throws {
        try await meet(first)
        let title = try #require(try store.currentValue(under: MessageName(.title)))
        try acknowledge(try store.issued(to: first).latest, by: first)
        #expect(try pass(7, from: first, under: MessageName(.title)) == .applied)
        #expect(try store.currentValue(under: MessageName(.title)) == title)
        try await meet(second)
        #expect(try store.value(after: 0, for: second) != nil)
    }
}
