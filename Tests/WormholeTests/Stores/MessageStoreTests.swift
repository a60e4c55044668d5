import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct MessageStoreTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("store") }
    private let watch = PeerIdentity(rawValue: 77)

    private func hello(knownEpoch: UInt32? = nil, queuedApplied: UInt32 = 0) -> PeerHandshake {
        var hello = Hello(role: .watch, identity: 77, epoch: 9, limits: LinkLimits(largestSDU: 512))
        (hello.knownEpoch, hello.queuedApplied) = (knownEpoch, queuedApplied)
        return PeerHandshake(hello: hello, with: .phone, largestDatagram: 512)
    }

    private func message(_ number: UInt8) -> OutboundMessage { OutboundMessage(name: "m", payload: [number]) }

    private func inbound(_ sequence: UInt32, epoch: UInt32 = 9) -> InboundMessage {
        InboundMessage(peer: watch, epoch: epoch, sequence: sequence, content: .queued("m", payload: [0]))
    }

    @Test func `A queue is numbered from 1 and shrinks as its peer applies`() async throws {
        let store = MessageStore.inMemory()
        #expect(throws: WormholeError.unknownPeer) { try store.append(message(1), to: watch) }
        let streams = try store.resume(watch, handshake: hello(), newEpoch: 5)
        #expect(streams.epoch == 5)
        #expect(try store.append(message(1), to: watch).sequence == 1)
        #expect(try store.append(message(2), to: watch).sequence == 2)
        #expect(try store.queued(2, to: watch) == .message(message(2), .nothing))
        try store.acknowledged(Acknowledgement(queued: 1, latest: 0), by: watch)
        #expect(try store.queued(1, to: watch) == nil)
        #expect(try store.queued(2, to: watch) == .message(message(2), .nothing))
        #expect(try store.queued(3, to: watch) == nil)
        #expect(try store.issued(to: watch) == IssuedPositions(epoch: 5, queued: 2, latest: 0))
    }

    @Test
    func `A peer that never comes has a bound: what is passed beyond it is refused and not stored`() async throws {
        let store = MessageStore.inMemory()
        _ = try store.resume(watch, handshake: hello(), newEpoch: 5)
        let limit = MessageStore.mostWaiting
        try store.fill(limit, message(1), to: watch)
        #expect(throws: WormholeError.queueFull(limit: limit)) { try store.append(message(2), to: watch) }
        #expect(try store.issued(to: watch).queued == UInt32(limit))
        try store.acknowledged(Acknowledgement(queued: 1, latest: 0), by: watch)
        #expect(try store.append(message(2), to: watch).sequence == UInt32(limit) + 1)
    }

    @Test func `A hello that knows our epoch acknowledges; one that does not leaves the queue as it is`() async throws {
        let store = MessageStore.inMemory()
        _ = try store.resume(watch, handshake: hello(), newEpoch: 5)
        for number in 1...3 { _ = try store.append(message(UInt8(number)), to: watch) }
        var streams = try store.resume(watch, handshake: hello(knownEpoch: 4, queuedApplied: 3), newEpoch: 6)
        #expect(streams.epoch == 5 && streams.positions.queuedAcknowledged == 0)
        streams = try store.resume(watch, handshake: hello(knownEpoch: 5, queuedApplied: 2), newEpoch: 6)
        #expect(streams.epoch == 5 && streams.positions.queuedAcknowledged == 2)
    }

    @Test func `A peer that remembers more than we ever sent gets a new epoch, and the queue from 1 on`() async throws {
        let store = MessageStore.inMemory()
        _ = try store.resume(watch, handshake: hello(), newEpoch: 5)
        for number in 1...3 { _ = try store.append(message(UInt8(number)), to: watch) }
        try store.acknowledged(Acknowledgement(queued: 1, latest: 0), by: watch)
        let streams = try store.resume(watch, handshake: hello(knownEpoch: 5, queuedApplied: 4), newEpoch: 6)
        #expect(streams.epoch == 6)
        #expect(streams.positions.queuedAcknowledged == 0 && streams.positions.queuedIssued == 2)
        #expect(try store.queued(1, to: watch) == .message(message(2), .nothing))
        #expect(try store.queued(2, to: watch) == .message(message(3), .nothing))
    }

    @Test func `A message is applied once of its origin, whatever run brings it again`() async throws {
        let applied = Recorder<UInt32>()
        let store = MessageStore.inMemory { message throws(WormholeError) in
            applied.append(message.origin * 100 + message.sequence)
            return .applied
        }
        _ = try store.resume(watch, handshake: hello(), newEpoch: 5)
        for (sequence, run, origin) in [
            (1, 9, 9), (2, 9, 9), (2, 10, 9), (3, 10, 9), (3, 10, 9), (2, 9, 9), (4, 10, 10), (4, 9, 10), (3, 11, 11),
        ] as [(UInt32, UInt32, UInt32)] {
            let message = InboundMessage(
                peer: watch, epoch: run, origin: origin, sequence: sequence, content: .queued("m", payload: [0]))
            #expect(try store.apply(message).acknowledged == .applied)
        }
        #expect(applied.all == [901, 902, 903, 1_004, 1_103])
    }

    @Test
    func `Each start of an endpoint is a run: a watch's messages keep their numbers and the epoch they were issued in`()
        async throws
    {
        let first = try MessageStore(path: path)
        #expect(try first.resume(.phone, handshake: nil, newEpoch: 5).epoch == 5)
        #expect(try first.append(message(1), to: .phone).sequence == 1)
        #expect(try first.append(message(2), to: .phone).sequence == 2)
        #expect(try first.resume(.phone, handshake: nil, newEpoch: 6).epoch == 5, "one run")
        #expect(try first.origin(of: 1, to: .phone) == nil)
        first.close()
        let second = try MessageStore(path: path)
        try second.beginRun { 7 }
        #expect(try second.resume(.phone, handshake: nil, newEpoch: 8).epoch == 7)
        #expect(try second.append(message(3), to: .phone).sequence == 3)
        #expect(try second.origin(of: 2, to: .phone) == 5)
        #expect(try second.origin(of: 3, to: .phone) == nil)
        #expect(try second.queued(2, to: .phone) == .message(message(2), .nothing))
    }

    @Test func `A phone's store is opened again: a watch that remembers the run before goes on after what it has`()
        async throws
    {
        let first = try MessageStore(path: path)
        _ = try first.resume(watch, handshake: hello(), newEpoch: 5)
        for number in 1...3 { _ = try first.append(message(UInt8(number)), to: watch) }
        first.close()
        let second = try MessageStore(path: path)
        try second.beginRun { 6 }
        // They were not issued in the run that the watch remembers.
        for number in 4...9 { _ = try second.append(message(UInt8(number)), to: watch) }
        let streams = try second.resume(watch, handshake: hello(knownEpoch: 5, queuedApplied: 2), newEpoch: 66)
        #expect(streams.epoch == 6 && streams.positions.queuedAcknowledged == 2)
        #expect(try second.queued(3, to: watch) == .message(message(3), .nothing))
        let lost = try second.resume(watch, handshake: hello(knownEpoch: 5, queuedApplied: 9), newEpoch: 7)
        #expect(lost.epoch == 7 && lost.positions.queuedIssued == 7, "it has more than was ever issued")
    }

    @Test func `Of latest values the newest of each name is kept, in the order of their revisions`() async throws {
        let store = MessageStore.inMemory()
        #expect(try store.replace("a", with: [1], for: .everyone) == 1)
        #expect(try store.replace("b", with: [2], for: .only(watch)) == 2)
        #expect(try store.replace("a", with: [3], for: .everyone) == 3)
        #expect(try store.value(after: 0, for: watch) == RevisedValue(revision: 2, name: "b", payload: [2]))
        #expect(try store.value(after: 2, for: watch) == RevisedValue(revision: 3, name: "a", payload: [3]))
        #expect(try store.value(after: 3, for: watch) == nil)
        #expect(try store.value(after: 0, for: PeerIdentity(rawValue: 1))?.revision == 3)
        #expect(try store.namesWithValue() == ["a", "b"])
        _ = try store.replace("b", with: nil, for: .everyone)
        #expect(try store.currentValue(under: "b") == nil)
        #expect(try store.value(after: 3, for: watch) == RevisedValue(revision: 4, name: "b", payload: nil))
    }

    @Test func `Where both sides pass a value at the same moment the phone's stands`() async throws {
        let phone = MessageStore.inMemory()
        _ = try phone.resume(watch, handshake: hello(), newEpoch: 5)
        _ = try phone.replace("a", with: [1], for: .everyone)
        let fromWatch = InboundMessage(peer: watch, epoch: 9, sequence: 1, content: .latest("a", payload: [2]))
        #expect(try phone.apply(fromWatch).acknowledged == .applied)
        #expect(try phone.currentValue(under: "a") == [1])

        let watchStore = MessageStore.inMemory()
        _ = try watchStore.resume(.phone, handshake: nil, newEpoch: 9)
        _ = try watchStore.replace("a", with: [2], for: .everyone)
        let fromPhone = InboundMessage(peer: .phone, epoch: 5, sequence: 1, content: .latest("a", payload: [1]))
        #expect(try watchStore.apply(fromPhone) == .applied)
        #expect(try watchStore.currentValue(under: "a") == [1])
        #expect(try watchStore.value(after: 0, for: .phone) == nil)
    }
}
