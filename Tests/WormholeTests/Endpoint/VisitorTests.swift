import Glibc
import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

/// The log lines about connections that do not become a peer's link.
@Suite(.timeLimit(.minutes(60))) struct VisitorTests {
    private let log = RecordedLog()
    private let clock = ManualClock()

    private func phone(_ listener: any TransportListener) throws -> Wormhole {
        Wormhole(
            .listens(listener), store: try MessageStore(path: directory.file("messages")),
            configuration: WormholeConfiguration(role: .phone), clock: clock, logger: log.logger(.warning))
    }

    private let directory = TemporaryDirectory()

    @Test func `A visitor who is sent away leaves one line, with who it is and why`() async throws {
        let listener = try UnixListener("watch.sock", in: directory.sockets())
        let phone = try phone(listener)
        try await phone.start()
        let visitor = try await UnixConnector(path: listener.path).connect()
        try await visitor.send([0xFF, 0x1B, 0x0A])
        await log.waitForLine { $0.message.hasPrefix("a visitor was sent away: it broke the protocol") }
        #expect(log.messages.count == 1, "\(log.messages)")
        #expect(log.lines[0].metadata == ["visitor": "process \(getpid()) of user \(geteuid())"])
        await phone.close()
    }

    @Test func `A peer whose hello the store cannot take leaves a line that says why`() async throws {
        let link = InMemoryLink()
        let store = try MessageStore(path: directory.file("closed"))
        let phone = Wormhole(
            .listens(link.listener), store: store, configuration: WormholeConfiguration(role: .phone), clock: clock,
            logger: log.logger(.warning))
        try await phone.start()
        store.close()
        let watch = Wormhole.quick(.watch, .connects(link.connector), clock: clock)
        try await watch.start()
        await log.waitForLine { $0.message == "a link ended and will be reopened: closed" }
        #expect(log.lines.first?.metadata.keys.sorted() == ["peer"])
        await watch.close()
        await phone.close()
    }

    @Test
    func `For each visitor beyond 64 who says nothing the oldest is sent away, and a watch is served`() async throws {
        let link = InMemoryLink()
        let phone = try phone(link.listener)
        try await phone.start()
        var visitors: [any DatagramTransport] = []
        for _ in 0..<EndpointMachine.mostStrangers + 10 { visitors.append(try await link.connector.connect()) }
        for visitor in visitors.prefix(10) {
            await #expect(throws: WormholeError.closed) { try await visitor.receive() }
        }
        let watch = Wormhole.quick(.watch, .connects(link.connector), clock: clock)
        try await watch.start()
        await watch.waitUntilReachable(.phone)
        await #expect(throws: WormholeError.closed) { try await visitors[10].receive() }
        // All other visitors are still connected. Each gets an answer to its invalid frame.
        for visitor in visitors.dropFirst(11) {
            try await visitor.send([0xFF])
            #expect(try await visitor.receive().isEmpty == false)
        }
        await watch.close()
        await phone.close()
    }

    @Test func `A listener that is out of descriptors now and then is a line a minute`() {
        var trouble = AcceptTrouble()
        let error = WormholeError.system(call: "accept", path: nil, .tooManyOpenFiles)
        var lines = 0
        for second in 0..<600 {
            if trouble.failed(error, at: .start + .seconds(UInt32(second))).isNews { lines += 1 }
            if trouble.succeeded() > 0 { lines += 1 }
        }
        #expect(lines == 2 * 10)
    }

    @Test func `A listener that fails for an hour is one line, and one more when it accepts again`() async throws {
        let listener = FailingListener()
        let phone = try phone(listener)
        try await phone.start()
        while clock.now < .start + .seconds(3_600) {
            await clock.waitForSleeper(until: clock.now)
            guard let deadline = clock.nextDeadline else { continue }
            clock.advance(by: deadline - clock.now)
        }
        #expect(log.messages == ["a connection was not accepted"])
        #expect(listener.attempts < 730)
        await phone.close()
    }
}
