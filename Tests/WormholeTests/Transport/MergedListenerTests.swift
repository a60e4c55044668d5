import Testing
import WatchLink
import Wormhole
import WormholeTesting

struct MergedListenerTests {
    @Test func `a peer that connects to any of them is accepted`() async throws {
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

    @Test func `peers that came while no caller asked are accepted afterwards, none twice`() async throws {
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

    @Test
    func `one that fails is tried again after pauses that grow to five seconds, and is reported once`() async throws {
        let clock = ManualClock()
        let failing = FailingListener()
        let link = InMemoryLink()
        let listener = MergedListener([failing, link.listener], clock: clock)
        await #expect(throws: FailingListener.error) { try await listener.accept() }
        var pauses: [Microseconds] = []
        for attempts in 1...9 {
            await clock.waitForSleeper(until: clock.now)
            #expect(failing.attempts == attempts)
            let deadline = try #require(clock.nextDeadline)
            pauses.append(deadline - clock.now)
            clock.advance(by: deadline - clock.now)
        }
        #expect(pauses.map(\.count) == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000].map { $0 * 1_000 })
        // The other listeners go on, and only their channels have come.
        let connected = try await link.connector.connect()
        try await connected.send([7])
        #expect(try await listener.accept().receive() == [7])
        listener.close()
    }

    @Test func `closing ends the wait, and every listener`() async throws {
        let link = InMemoryLink()
        let listener = MergedListener([link.listener])
        let waiting = Task { try await listener.accept() }
        listener.close()
        await #expect(throws: WormholeError.closed) { try await waiting.value }
        await #expect(throws: WormholeError.closed) { try await listener.accept() }
    }
}
