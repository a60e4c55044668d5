import HostSystem
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct ArrivingTogetherTests {
    private let gate = WaitableState(0)
    private let handled = Recorder<UInt32>()

    private func open(
        _ store: MessageStore, _ body: (Wormhole, RawWatch) async throws -> Void
    ) async throws {
        let link = InMemoryLink(largestDatagram: 512)
        let phone = Wormhole.quick(.phone, .listens(link.listener), store)
        try await phone.start()
        try await body(phone, try await RawWatch(link.connector))
        await phone.close()
    }

    /// Returns a store that blocks at each message until `gate` is above 0, and rejects message 4.
    private func waitingStore() -> MessageStore {
        MessageStore.inMemory { [gate, handled] message throws(WormholeError) in
            handled.append(message.sequence)
            gate.block { $0 > 0 ? .finish(()) : .wait(microseconds: nil) }
            return message.sequence == 4 ? .rejected(.refused) : .applied
        }
    }

    private func queued(_ sequence: UInt32, _ payload: [UInt8] = [0x01]) throws -> [UInt8] {
        let name: MessageName = "m"
        return try LinkMachine.datagram { writer throws(CBORError) in
            try MessageHeader(.queued, sequence: sequence).encode(into: &writer)
            try writer.text(Array(name.text.utf8).span)
            try writer.raw(payload.span)
        }
    }

    private func acknowledgement(of watch: RawWatch) async throws -> Acknowledgement {
        while true {
            let datagram = try await watch.channel.receive()
            if case .acknowledgement(let acknowledgement)? = try? ControlFrame(datagram.span) { return acknowledgement }
        }
    }

    @Test
    func `What arrives while a message is applied is applied together: one acknowledgement, with the rejection in it`()
        async throws
    {
        let store = waitingStore()
        try await open(store) { phone, watch in
            let heard = phone.messages(withPrefix: "m")
            try await watch.channel.send(queued(1))
            await handled.wait(for: 1)
            for sequence in 2...8 as ClosedRange<UInt32> { try await watch.channel.send(queued(sequence)) }
            gate.change { $0 = 1 }
            var acknowledgements: [Acknowledgement] = []
            while acknowledgements.last?.queued != 8 { acknowledgements.append(try await acknowledgement(of: watch)) }
            #expect(Set(acknowledgements.map(\.queued)).isSubset(of: [1, 8]))
            #expect(acknowledgements.last?.rejected.reason(of: 4) == .refused)
            #expect(handled.all == [1, 2, 3, 4, 5, 6, 7, 8])
            #expect(try await heard.first(7).count == 7, "all but the rejected one")
        }
    }

    @Test func `What follows messages is handled behind them: a broken frame closes the link once they are applied`()
        async throws
    {
        let store = waitingStore()
        try await open(store) { _, watch in
            try await watch.channel.send(queued(1))
            await handled.wait(for: 1)
            for sequence in [2, 3, 9] as [UInt32] { try await watch.channel.send(queued(sequence)) }
            gate.change { $0 = 1 }
            #expect(await watch.fault() == .sequenceGap)
            await handled.wait(for: 3)
            #expect(handled.all == [1, 2, 3])
        }
    }

    @Test func `A message that is taken back after it was read ahead goes out without its content`() async throws {
        try await open(MessageStore.inMemory()) { phone, watch in
            let peer = try await phone.firstReachablePeer()
            var handles: [MessageHandle] = []
            for number in 1...20 {
                handles.append(
                    try #require(try await phone.pass(number, under: "n", delivery: .queued, to: .only(peer))))
            }
            for sequence in 1...8 as ClosedRange<UInt32> {
                #expect(try await nextQueued(of: watch) == MessageHeader(.queued, sequence: sequence))
            }
            let number = try #require(handles[11].copies[peer]?.number)
            try await phone.cancel(number)
            for acknowledged in [8, 16] as [UInt32] {
                let acknowledgement = Acknowledgement(queued: acknowledged, latest: 0)
                try await watch.channel.send(datagram(.acknowledgement(acknowledgement)))
                for sequence in acknowledged + 1...min(acknowledged + 8, 20) {
                    #expect(
                        try await nextQueued(of: watch)
                            == MessageHeader(.queued, sequence: sequence, hasValue: sequence != 12))
                }
            }
            #expect(await handles[11].finalFates()[peer] == .expired)
        }
    }

    private func nextQueued(of watch: RawWatch) async throws -> MessageHeader {
        while true {
            let datagram = try await watch.channel.receive()
            if FrameKind(rawValue: datagram[0]) == .queued { return try MessageHeader(datagram.span) }
        }
    }
}
