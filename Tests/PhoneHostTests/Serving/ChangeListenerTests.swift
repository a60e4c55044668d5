import Logging
import Testing
import WatchLink
import Wormhole
import WormholeTesting

@testable import PhoneHost

@Suite(.timeLimit(.minutes(60))) struct ChangeListenerTests {
    @Test func `a long change goes on beside any number of short ones`() async throws {
        let link = InMemoryLink()
        let listener = ChangeListener(link.listener, clock: SystemClock(), logger: Logger(label: "test"))
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let listening = Task { await listener.listen { end.yield() } }
        let long = try await link.connector.connect()
        var heard = ends.makeAsyncIterator()
        for _ in 0..<2 * ChangeListener.mostConnections {
            try await link.connector.connect().close()
            await heard.next()
        }
        try await long.send([0])
        long.close()
        await heard.next()
        listener.close()
        await listening.value
    }
}
