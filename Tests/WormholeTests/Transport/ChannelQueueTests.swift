import Testing
import WormholeTesting

@testable import Wormhole

@Suite(.timeLimit(.minutes(60)))
struct ChannelQueueTests {
    private let queue = ChannelQueue()

    private func put() -> InMemoryTransport {
        let (near, far) = InMemoryTransport.pair()
        queue.put(.success(near))
        return far
    }

    @Test func `They are taken in the order in which they came`() async throws {
        for number in UInt8(1)...3 { try await put().send([number]) }
        for number in UInt8(1)...3 { #expect(try await queue.next().receive() == [number]) }
    }

    @Test func `A task that waits gets the next one`() async throws {
        for number in UInt8(1)...100 {
            let taking = Task { try await queue.next().receive() }
            if number.isMultiple(of: 2) { await Task.yield() }
            try await put().send([number])
            #expect(try await taking.value == [number])
        }
    }

    @Test func `Closing ends the wait, and closes waiting channels and those that come later`() async throws {
        let taking = Task { try await queue.next() }
        await Task.yield()
        queue.close()
        await #expect(throws: WormholeError.closed) { _ = try await taking.value }
        await #expect(throws: WormholeError.closed) { _ = try await put().receive() }
        let other = ChannelQueue()
        let (near, far) = InMemoryTransport.pair()
        other.put(.success(near))
        other.close()
        other.close()
        await #expect(throws: WormholeError.closed) { _ = try await far.receive() }
        await #expect(throws: WormholeError.closed) { _ = try await other.next() }
    }

    @Test func `A task that is cancelled waits no longer, and takes nothing from the next`() async throws {
        for number in UInt8(1)...100 {
            let taking = Task { try await queue.next() }
            if number.isMultiple(of: 2) { await Task.yield() }
            taking.cancel()
            await #expect(throws: WormholeError.closed) { _ = try await taking.value }
            try await put().send([number])
            #expect(try await queue.next().receive() == [number])
        }
    }
}
