import Testing
import WormholeTesting

@testable import Wormhole

/// A kind of channel. `make` returns the two ends of a new channel.
enum ChannelKind: String, CaseIterable, Sendable {
    case memory
    case socket

    func make() throws -> (any DatagramTransport, any DatagramTransport) {
        switch self {
        case .memory: return InMemoryTransport.pair(largestDatagram: 4_096)
        case .socket:
            let (near, far) = try DatagramSocket.pair()
            return (SocketTransport(near, largestDatagram: 4_096), SocketTransport(far, largestDatagram: 4_096))
        }
    }
}

@Suite(.timeLimit(.minutes(60)))
struct TransportTests {
    @Test(arguments: ChannelKind.allCases)
    func `Nothing is lost or turned round when the sender is faster than the receiver`(_ kind: ChannelKind) async throws
    {
        let (near, far) = try kind.make()
        let count = 1_000
        async let sending: Void = {
            for number in 0..<count {
                var datagram = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1_000)
                datagram[0] = UInt8(number >> 8)
                try await near.send(datagram)
            }
        }()
        for number in 0..<count {
            let datagram = try await far.receive()
            #expect(datagram.count == 1_000)
            #expect(datagram[0] == UInt8(number >> 8))
            #expect(datagram[1] == UInt8(truncatingIfNeeded: number))
        }
        try await sending
    }

    @Test(arguments: ChannelKind.allCases)
    func `What has arrived is received at once, nothing where nothing has, and the end as ever`(_ kind: ChannelKind)
        async throws
    {
        let (near, far) = try kind.make()
        #expect(try far.receiveAtOnce() == nil)
        for number in 1...3 as ClosedRange<UInt8> { try await near.send([number]) }
        #expect(try await far.receive() == [1])
        #expect(try far.receiveAtOnce() == [2])
        #expect(try far.receiveAtOnce() == [3])
        #expect(try far.receiveAtOnce() == nil)
        near.close()
        #expect(throws: WormholeError.closed) { while try far.receiveAtOnce() == nil {} }
    }

    @Test(arguments: ChannelKind.allCases)
    func `A datagram that is too long is refused before it is sent`(_ kind: ChannelKind) async throws {
        let (near, far) = try kind.make()
        await #expect(throws: WormholeError.datagramTooLong(bytes: 4_097, limit: 4_096)) {
            try await near.send([UInt8](repeating: 0, count: 4_097))
        }
        try await near.send([1])
        #expect(try await far.receive() == [1])
    }

    @Test(arguments: ChannelKind.allCases)
    func `Closing ends the receiver that waits on this side`(_ kind: ChannelKind) async throws {
        let (near, far) = try kind.make()
        let waiting = Task { try await near.receive() }
        await Task.yield()
        near.close()
        await #expect(throws: WormholeError.closed) { try await waiting.value }
        await #expect(throws: WormholeError.closed) { try await far.receive() }
        near.close()
    }

    @Test(arguments: ChannelKind.allCases)
    func `Closing over there ends the receiver that waits here, behind what was sent`(_ kind: ChannelKind) async throws
    {
        let (near, far) = try kind.make()
        try await far.send([1])
        far.close()
        #expect(try await near.receive() == [1])
        await #expect(throws: WormholeError.closed) { try await near.receive() }
    }

    @Test(arguments: ChannelKind.allCases)
    func `A sender that waits for room is woken by a close on either side`(_ kind: ChannelKind) async throws {
        for closesHere in [true, false] {
            let (near, far) = try kind.make()
            let sending = Task {
                while true { try await near.send([UInt8](repeating: 0, count: 4_096)) }
            }
            // Once a datagram has arrived, the sender is running.
            _ = try await far.receive()
            (closesHere ? near : far).close()
            await #expect(throws: WormholeError.closed) { try await sending.value }
        }
    }

    @Test(arguments: ChannelKind.allCases)
    func `A cancelled receiver gives up and the channel lives on`(_ kind: ChannelKind) async throws {
        let (near, far) = try kind.make()
        let waiting = Task { try await near.receive() }
        await Task.yield()
        waiting.cancel()
        await #expect(throws: WormholeError.closed) { try await waiting.value }
        try await far.send([5])
        #expect(try await near.receive() == [5])
    }

    @Test func `A silenced channel swallows everything and tells neither end`() async throws {
        let (near, far) = InMemoryTransport.pair()
        near.silence()
        try await near.send([1])
        try await far.send([2])
        near.close()
        let waiting = Task { try await far.receive() }
        await Task.yield()
        waiting.cancel()
        await #expect(throws: WormholeError.closed) { try await waiting.value }
    }

    @Test
    func `An end that closes a silenced channel receives nothing more, and the other end sends as before`() async throws
    {
        let (near, far) = InMemoryTransport.pair(capacity: 1)
        near.silence()
        near.close()
        await #expect(throws: WormholeError.closed) { try await near.receive() }
        for byte: UInt8 in 1...3 { try await far.send([byte]) }
        far.close()
        await #expect(throws: WormholeError.closed) { try await far.receive() }
    }

    @Test func `Many channels wait at the same poller`() async throws {
        let pairs = try (0..<50).map { _ in try ChannelKind.socket.make() }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, pair) in pairs.enumerated() {
                group.addTask {
                    for round in 0..<20 {
                        let datagram = try await pair.1.receive()
                        #expect(datagram == [UInt8(number), UInt8(round)])
                        try await pair.1.send(datagram)
                    }
                }
                group.addTask {
                    for round in 0..<20 {
                        try await pair.0.send([UInt8(number), UInt8(round)])
                        _ = try await pair.0.receive()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
