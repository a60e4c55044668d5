import Testing
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct ObservedTransportTests {
    private let channel: ObservedTransport
    private let far: InMemoryTransport

    init() {
        let (near, far) = InMemoryTransport.pair(
            largestDatagram: 128, peers: (.bondedDevice(address: "here"), .unknown))
        channel = ObservedTransport(near)
        self.far = far
    }

    @Test func `It carries as the channel inside does`() async throws {
        #expect(channel.largestDatagram == 128)
        #expect(channel.peer == .bondedDevice(address: "here"))
        try await channel.send([1])
        #expect(try await far.receive() == [1])
        try await far.send([2])
        #expect(try await channel.receive() == [2])
    }

    @Test func `It ends when this side closes, for all who wait, and for who asks later`() async throws {
        let waiting = [Task { await channel.end() }, Task { await channel.end() }]
        await Task.yield()
        channel.close()
        for task in waiting { await task.value }
        await channel.end()
        await #expect(throws: WormholeError.closed) { _ = try await far.receive() }
    }

    @Test
    func `It ends when the other side has closed, once this side has received what was said before`() async throws {
        try await far.send([1])
        far.close()
        let waiting = Task { await channel.end() }
        #expect(try await channel.receive() == [1])
        await #expect(throws: WormholeError.closed) { _ = try await channel.receive() }
        await waiting.value
        await #expect(throws: WormholeError.closed) { try await channel.send([1]) }
    }

    @Test func `A datagram that is too long is refused, and is no end`() async throws {
        await #expect(throws: WormholeError.datagramTooLong(bytes: 129, limit: 128)) {
            try await channel.send([UInt8](repeating: 0, count: 129))
        }
        let waiting = Task {
            await channel.end()
            return Task.isCancelled
        }
        try await far.send([1])
        #expect(try await channel.receive() == [1])
        waiting.cancel()
        // It was the cancelling that ended the wait.
        #expect(await waiting.value)
    }

    @Test func `A task that is cancelled waits no longer, and leaves the channel open`() async throws {
        for attempt in 0..<100 {
            let waiting = Task { await channel.end() }
            if attempt.isMultiple(of: 2) { await Task.yield() }
            waiting.cancel()
            await waiting.value
        }
        try await channel.send([1])
        #expect(try await far.receive() == [1])
        let other = Task { await channel.end() }
        channel.close()
        await other.value
    }
}
