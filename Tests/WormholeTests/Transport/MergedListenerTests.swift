import Testing
import Wormhole
import WormholeTesting

@Suite("Several listeners as one")
struct MergedListenerTests {
    @Test("whoever connects to any of them is accepted")
    func everyListener() async throws {
        let links = [InMemoryLink(), InMemoryLink(), InMemoryLink()]
        let listener = MergedListener(links.map(\.listener))
        for (number, link) in links.enumerated() {
            let connected = try await link.connector.connect()
            let accepted = try await listener.accept()
            try await connected.send([UInt8(number)])
            #expect(try await accepted.receive() == [UInt8(number)])
        }
        listener.close()
    }

    @Test("those that came while nobody asked are accepted afterwards, none twice")
    func waiting() async throws {
        let links = [InMemoryLink(), InMemoryLink()]
        let listener = MergedListener(links.map(\.listener))
        let first = Task { try await listener.accept() }
        let one = try await links[0].connector.connect()
        _ = try await first.value
        let two = try await links[1].connector.connect()
        let three = try await links[0].connector.connect()
        var heard: Set<[UInt8]> = []
        try await two.send([2])
        try await three.send([3])
        for _ in 0..<2 { heard.insert(try await listener.accept().receive()) }
        #expect(heard == [[2], [3]])
        one.close()
        listener.close()
    }

    /// How a wait at `listener` ends, where it does not end with a channel.
    private func end(of listener: MergedListener) -> Task<WormholeError?, Never> {
        Task { () async -> WormholeError? in
            do throws(WormholeError) {
                _ = try await listener.accept()
                return nil
            } catch {
                return error
            }
        }
    }

    @Test("closing ends the wait, and every listener")
    func closing() async throws {
        let link = InMemoryLink()
        let listener = MergedListener([link.listener])
        let waiting = end(of: listener)
        listener.close()
        #expect(await waiting.value == .closed)
        await #expect(throws: WormholeError.closed) { try await listener.accept() }
    }

    @Test("a task that is cancelled waits no longer")
    func cancelled() async throws {
        let listener = MergedListener([InMemoryLink().listener])
        let waiting = end(of: listener)
        waiting.cancel()
        #expect(await waiting.value == .closed)
        listener.close()
    }
}
