import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct OutstandingTests {
    private let directory = TemporaryDirectory()
    private var path: String { directory.file("store") }
    private let watch = PeerIdentity(rawValue: 77)

    private func filled(_ path: String, _ count: UInt8) async throws -> MessageStore {
        let store = try MessageStore(path: path)
        _ = try store.resume(watch, handshake: nil, newEpoch: 5)
        for number in 1...count { _ = try store.append(OutboundMessage(name: "m", payload: [number]), to: watch) }
        return store
    }

    @Test func `What waits is listed, oldest first, also after a restart`() async throws {
        let before = try await filled(path, 3)
        try before.acknowledged(Acknowledgement(queued: 1, latest: 0), by: watch)
        before.close()
        let store = try MessageStore(path: path)
        let waiting = try store.outstanding()
        #expect(waiting.map(\.number.rawValue) == [2, 3])
        #expect(waiting.allSatisfy { $0.peer == watch && $0.name == "m" && $0.bytes == 1 && $0.delivery == .queued })
    }

    @Test func `A fate can be asked for by the number: waiting, applied, rejected with the reason, too large, none`()
        async throws
    {
        let store = try await filled(path, 4)
        var acknowledgement = Acknowledgement(queued: 3, latest: 0)
        _ = acknowledgement.rejected.append(Rejection(sequence: 2, reason: .unknownName))
        try store.noteTooLarge(3, to: watch, bytes: 500, limit: 400)
        try store.acknowledged(acknowledgement, by: watch)
        let expected: [MessageFate?] = [
            .applied, .failed(.rejected(.unknownName)), .failed(.tooLarge(bytes: 500, limit: 400)), .queued, nil,
        ]
        for (index, fate) in expected.enumerated() {
            #expect(try store.fate(of: MessageNumber(rawValue: UInt64(index) + 1)) == fate)
        }
    }

    @Test
    func `One that was taken back keeps its sequence without a message, and no number is given twice`() async throws {
        let store = try await filled(path, 2)
        let place = try store.withdraw(MessageNumber(rawValue: 2))
        #expect(place == QueuePlace(peer: watch, sequence: 2, name: "m"))
        #expect(try store.withdraw(MessageNumber(rawValue: 2)) == nil, "once")
        #expect(try store.queued(2, to: watch) == .withdrawn("m"))
        #expect(try store.outstanding().map(\.number.rawValue) == [1])
        #expect(try store.fate(of: MessageNumber(rawValue: 2)) == .expired)
        try store.acknowledged(Acknowledgement(queued: 2, latest: 0), by: watch)
        #expect(try store.fate(of: MessageNumber(rawValue: 2)) == .expired)
        #expect(try store.append(OutboundMessage(name: "m", payload: [9]), to: watch).number.rawValue == 3)
    }

    @Test func `Of those that are done the newest 1,024 keep their fates`() async throws {
        let store = MessageStore.inMemory()
        _ = try store.resume(watch, handshake: nil, newEpoch: 5)
        let count = UInt32(QueueTable.mostDone) + 6
        try store.fill(Int(count), OutboundMessage(name: "m", payload: [1]), to: watch)
        try store.acknowledged(Acknowledgement(queued: count, latest: 0), by: watch)
        #expect(try store.fate(of: MessageNumber(rawValue: 6)) == nil)
        #expect(try store.fate(of: MessageNumber(rawValue: 7)) == .applied)
    }

    @Test func `Of files that have ended the newest 256 keep their fates`() async throws {
        let store = MessageStore.inMemory()
        _ = try store.resume(watch, handshake: nil, newEpoch: 5)
        for number in 1...258 as ClosedRange<UInt64> {
            try store.add(
                TransferRecord(
                    transfer: number, peer: watch, label: "film", path: "/film", length: 1,
                    hash: [UInt8](repeating: 0, count: 32), metadata: nil, state: .begun))
            #expect(try store.ended(number) == nil)
            try store.conclude(number, number < 258 ? .failed(.cancelled) : .applied)
        }
        #expect(try store.transfers().isEmpty)
        #expect(try store.ended(2) == nil)
        #expect(try store.ended(3)?.1 == .failed(.cancelled))
        #expect(try store.ended(258)?.1 == .applied)
    }
}

@Suite(.timeLimit(.minutes(60)))
struct CancellingTests {
    @Test
    func `A message that waits is taken back: its listener never hears it, and those behind it arrive`() async throws {
        let pair = try Pair(.memory)
        try await pair.phone.start()
        let heard = pair.phone.messages(of: Int.self, under: "n")
        var numbers: [MessageNumber] = []
        var copies: [MessageCopy] = []
        for value in 1...3 {
            let handle = try await pair.watch.pass(value, under: "n", delivery: .queued)
            let copy = try #require(handle?.copies[.phone])
            copies.append(copy)
            numbers.append(try #require(copy.number))
        }
        #expect(try await pair.watch.outstanding().map(\.number) == numbers)
        try await pair.watch.cancel(numbers[1])
        #expect(copies[1].fate == .expired)
        #expect(try await pair.watch.fate(of: numbers[1]) == .expired)
        try await pair.watch.start()
        #expect(try await heard.first(2) == [1, 3])
        #expect(await copies[2].finalFate() == .applied)
        #expect(try await pair.watch.outstanding().isEmpty)
        await pair.close()
    }

    @Test func `What is done, or was never passed, cannot be taken back, and the error says why`() async throws {
        let pair = try await Pair.started(.memory)
        let handle = try #require(try await pair.watch.pass(1, under: "n", delivery: .queued))
        let copy = try #require(handle.copies[.phone])
        let number = try #require(copy.number)
        #expect(await copy.finalFate() == .applied)
        // The handle learns of the acknowledgement once the store has it.
        await #expect(throws: WormholeError.notCancelled(number, .applied)) { try await pair.watch.cancel(number) }
        let other = MessageNumber(rawValue: 99)
        await #expect(throws: WormholeError.noSuchMessage(other)) { try await pair.watch.cancel(other) }
        await pair.close()
    }
}
