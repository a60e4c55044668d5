import GRDB
import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct AppliedTogetherTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("store") }
    private let watch = PeerIdentity(rawValue: 77)

    private func inbound(_ sequence: UInt32, _ content: InboundMessage.Content? = nil) -> InboundMessage {
        InboundMessage(
            peer: watch, epoch: 9, sequence: sequence,
            content: content ?? .queued("m", payload: [UInt8(sequence)]))
    }

    private func inbound(_ sequences: ClosedRange<UInt32>) -> [InboundMessage] { sequences.map { inbound($0) } }

    /// Applies messages in one transaction, up to the first that fails. A link does the same, and ends after the
    /// failure.
    private func apply(_ messages: [InboundMessage], in store: MessageStore) throws -> [ArrivalOutcome] {
        var outcomes: [ArrivalOutcome] = []
        var isRunning = true
        try store.turn {
            for message in messages where isRunning {
                do throws(WormholeError) {
                    try store.savepoint { () throws(WormholeError) in outcomes.append(try store.apply(message)) }
                } catch {
                    isRunning = false
                }
            }
        }
        return outcomes
    }

    private func applied(_ store: MessageStore) async throws -> UInt32 {
        try store.resume(watch, handshake: nil, newEpoch: 5).positions.queuedApplied
    }

    @Test func `One that the handler rejects has its outcome, and the others theirs, in order`() async throws {
        let handled = Recorder<UInt32>()
        let store = MessageStore.inMemory { message throws(WormholeError) in
            handled.append(message.sequence)
            return message.sequence == 2 ? .rejected(.refused) : .applied
        }
        _ = try store.resume(watch, handshake: nil, newEpoch: 5)
        #expect(try apply(inbound(1...3), in: store) == [.applied, .rejected(.refused), .applied])
        #expect(handled.all == [1, 2, 3])
        #expect(try await applied(store) == 3)
        #expect(
            try apply(inbound(2...4), in: store) == [.repeated, .repeated, .applied],
            "what was applied before is not again")
        #expect(handled.all == [1, 2, 3, 4])
    }

    @Test
    func `Where the handler fails, those before are applied, and the one that failed and those behind it are not`()
        async throws
    {
        let handled = Recorder<UInt32>()
        let store = MessageStore.inMemory { message throws(WormholeError) in
            handled.append(message.sequence)
            guard message.sequence != 3 || handled.all.count > 4 else { throw .storage("disk full") }
            return message.sequence == 2 ? .rejected(.refused) : .applied
        }
        _ = try store.resume(watch, handshake: nil, newEpoch: 5)
        #expect(try apply(inbound(1...4), in: store) == [.applied, .rejected(.refused)])
        #expect(try await applied(store) == 2)
        #expect(throws: WormholeError.storage("disk full")) { try store.apply(inbound(3)) as ArrivalOutcome }
        #expect(try await applied(store) == 2)
        #expect(try apply(inbound(1...4), in: store) == [.repeated, .repeated, .applied, .applied])
        #expect(handled.all == [1, 2, 3, 3, 3, 4])
    }

    @Test
    func `An inbox that becomes full in the middle rejects the rest, and a value among them is taken`() async throws {
        let store = try MessageStore(path: path, keeping: 2)
        _ = try store.resume(watch, handshake: nil, newEpoch: 5)
        let messages = [inbound(1), inbound(1, .latest("v", payload: [7])), inbound(2), inbound(3)]
        #expect(try apply(messages, in: store) == [.applied, .applied, .applied, .rejected(.noRoom)])
        #expect(try await store.inbox().map(\.message.payload) == [[1], [2]])
        #expect(try store.currentValue(under: "v") == [7])
        #expect(try await applied(store) == 3)
        store.close()
    }

    @Test func `One that cannot be written holds up those behind it and none before it, and is applied once it can`()
        async throws
    {
        let store = try MessageStore(path: path, keeping: 10)
        _ = try store.resume(watch, handshake: nil, newEpoch: 5)
        try store.write { db in
            try db.execute(
                sql: """
                    CREATE TRIGGER fault BEFORE INSERT ON inbox WHEN NEW.payload = x'03'
                    BEGIN SELECT RAISE(ABORT, 'fault'); END
                    """)
        }
        #expect(try apply(inbound(1...5), in: store) == [.applied, .applied])
        #expect(try await store.inbox().map(\.message.payload) == [[1], [2]])
        store.close()
        // The program ends here, and starts again.
        let next = try MessageStore(path: path, keeping: 10)
        #expect(try await applied(next) == 2)
        try next.write { db in try db.execute(sql: "DROP TRIGGER fault") }
        #expect(try apply(inbound(1...5), in: next) == [.repeated, .repeated, .applied, .applied, .applied])
        #expect(try await next.inbox().map(\.message.payload) == [[1], [2], [3], [4], [5]])
        next.close()
    }

    @Test func `The origins of a queue are those of its runs, also after a new run has begun under way`() async throws {
        let store = MessageStore.inMemory()
        _ = try store.resume(.phone, handshake: nil, newEpoch: 5)
        for number in 1...3 as ClosedRange<UInt8> {
            _ = try store.append(OutboundMessage(name: "m", payload: [number]), to: .phone)
        }
        #expect(try store.queue(to: .phone, from: 2, most: 9).map(\.origin) == [nil, nil])
        // The phone has applied more than the watch has issued. So the watch has lost its history, and begins a new
        // epoch.
        var hello = Hello(role: .phone, identity: 3, epoch: 4, limits: LinkLimits(largestSDU: 512))
        hello.knownEpoch = 5
        hello.queuedApplied = 9
        let handshake = PeerHandshake(hello: hello, with: .watch, largestDatagram: 512)
        #expect(try store.resume(.phone, handshake: handshake, newEpoch: 6).epoch == 6)
        _ = try store.append(OutboundMessage(name: "m", payload: [4]), to: .phone)
        #expect(try store.queue(to: .phone, from: 1, most: 9).map(\.origin) == [5, 5, 5, nil])
        #expect(try store.queue(to: .phone, from: 2, most: 2).map(\.sequence) == [2, 3])
        #expect(try store.queue(to: .phone, from: 5, most: 2).isEmpty)
    }
}
