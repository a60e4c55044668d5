import Testing
import WatchLink
import Wormhole

@testable import PhoneHost

@Suite struct PassedMessagesTests {
    private let bench: WatchBench
    private var store: PhoneStore { bench.store }
    private var messages: MessageStore { bench.messages }
    private var watch: PeerIdentity { bench.watch }

    init() throws {
        bench = try WatchBench()
    }

    private func own(_ number: UInt8) -> OutboundMessage { OutboundMessage(name: "score", payload: [number]) }

    private func queue() async throws -> [[UInt8]?] {
        var payloads: [[UInt8]?] = []
        for sequence in 1...(try messages.issued(to: watch).queued) {
            let message = try messages.queued(sequence, to: watch)?.message
            payloads.append(message?.name == "score" ? message?.payload : nil)
        }
        return payloads
    }

    @Test func `a message of another program shares the queue of the watch with the list`() async throws {
        try await bench.meet(.init())
        let issued = try messages.append(own(7), to: watch, paying: nil)
        #expect(issued.sequence == 2)
        #expect(try await queue() == [nil, [7]])
        #expect(try messages.outstanding().map(\.name) == ["score"])
        try messages.acknowledged(Acknowledgement(queued: 2, latest: 0), by: watch)
        #expect(try messages.fate(of: issued.number) == .applied)
        #expect(try messages.outstanding().isEmpty)
    }

    @Test func `a queue that begins again keeps the messages of other programs, in their order`() async throws {
        try await bench.meet(.init())
        for number in 1...3 as ClosedRange<UInt8> { _ = try messages.append(own(number), to: watch, paying: nil) }
        try messages.acknowledged(Acknowledgement(queued: 2, latest: 0), by: watch)
        // The phone sends everything again to a watch that remembers nothing.
        let streams = try await bench.meet(.init())
        #expect(streams.epoch == 52)
        #expect(try await queue() == [[2], [3], nil])
        #expect(try messages.outstanding().map(\.number.rawValue) == [2, 3])
    }

    @Test func `one that was taken back goes out as its sequence alone`() async throws {
        try await bench.meet(.init())
        let number = try messages.append(own(1), to: watch, paying: nil).number
        #expect(try messages.withdraw(number)?.sequence == 2)
        #expect(try messages.queued(2, to: watch) == .withdrawn("score"))
        #expect(try messages.fate(of: number) == .expired)
    }

    @Test func `half of a queue is for the list, and an unknown watch has none`() async throws {
        #expect(throws: WormholeError.unknownPeer) { try messages.append(own(1), to: watch, paying: nil) }
        try await bench.meet(.init())
        let limit = FeedStore.mostWaitingOfPrograms
        for _ in 1..<limit { _ = try messages.append(own(1), to: watch, paying: nil) }
        #expect(throws: WormholeError.queueFull(limit: limit)) {
            try messages.append(own(1), to: watch, paying: nil)
        }
    }
}
