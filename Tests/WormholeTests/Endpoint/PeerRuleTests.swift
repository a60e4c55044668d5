import TestSupport
import Testing
import WatchLink
import WormholeTesting

@testable import Wormhole

/// Rules of PROTOCOL.md for an endpoint. The test plays the peer, and can send any datagram.
@Suite(.timeLimit(.minutes(60)))
struct PeerRuleTests {
    private func hello() throws -> [UInt8] {
        try datagram(.hello(Hello(role: .phone, identity: 3, epoch: 4, limits: LinkLimits(largestSDU: 512))))
    }

    @Test func `A goodbye is heard although the peer closes with frames unread`() async throws {
        let directory = TemporaryDirectory()
        let listener = try UnixListener("watch.sock", in: directory.sockets(), largestDatagram: 512)
        let connector = UnixConnector(path: listener.path, largestDatagram: 512)
        for _ in 0..<20 {
            let watch = Wormhole.quick(.watch, .connects(connector))
            for number in 0..<40 { try await watch.pass(number, under: "check", delivery: .queued) }
            let found = Task { await watch.waitUntilUnreachable(.phone) }
            try await watch.start()
            let channel = try await listener.accept()
            _ = try await channel.receive()
            try await channel.send(hello())
            // The first message shows that the watch has begun to send; the other messages stay unread.
            _ = try await channel.receive()
            try await channel.send(datagram(.goodbye(Goodbye(.refused))))
            channel.close()
            #expect(await found.value == .closed(.peerLeft(Goodbye(.refused))))
            await watch.close()
        }
        listener.close()
    }

    @Test
    func
        `Links that open and end at once: the pause grows up to the longest; one on which a ping was answered: the shortest`()
        async throws
    {
        let clock = ManualClock()
        let link = InMemoryLink(largestDatagram: 512)
        let watch = Wormhole.quick(.watch, .connects(link.connector), clock: clock)
        try await watch.start()
        for milliseconds: UInt32 in [1, 2, 4, 8, 10, 10] {
            let channel = try await openedChannel(of: link)
            channel.close()
            await expectPause(.milliseconds(milliseconds), on: clock)
        }
        let channel = try await openedChannel(of: link)
        try await channel.send(datagram(.ping(1)))
        while try await channel.receive() != datagram(.pong(1)) {}
        channel.close()
        await expectPause(.milliseconds(1), on: clock)
        await watch.close()
    }

    /// Accepts the next channel of the watch, and sends a phone's hello. Returns when the watch has taken the hello.
    private func openedChannel(of link: InMemoryLink) async throws -> any DatagramTransport {
        let channel = try await link.listener.accept()
        _ = try await channel.receive()
        try await channel.send(hello())
        // The watch answers this message only after it has taken the hello.
        try await channel.send([0x10, 0, 0, 0, 0, 1, 0x61, 0x61, 0x00])
        _ = try await channel.receive()
        return channel
    }

    /// Waits until `clock` has exactly one deadline, `length` from now. Then advances the clock to this deadline.
    private func expectPause(_ length: Microseconds, on clock: ManualClock) async {
        while clock.deadlines != [clock.now + length] { await Task.yield() }
        clock.advance(by: length)
    }

    @Test(arguments: 117...122)
    func `A message of an earlier run is sent with its origin where the peer accepts that, and never without`(
        bodySize: Int
    ) async throws {
        let directory = TemporaryDirectory()
        let before = try MessageStore(path: directory.file("store"))
        _ = try before.resume(.phone, handshake: nil, newEpoch: 5)
        let payload = [0x58, UInt8(bodySize - 4)] + [UInt8](repeating: 0, count: bodySize - 4)
        let message = OutboundMessage(name: "a", payload: payload)
        _ = try before.append(message, to: .phone)
        before.close()
        let link = InMemoryLink(largestDatagram: 512)
        let watch = Wormhole.quick(
            .watch, .connects(link.connector), try MessageStore(path: directory.file("store")), clock: ManualClock())
        try await watch.start()
        let channel = try await link.listener.accept()
        _ = try await channel.receive()
        let smallest = LinkLimits(largestSDU: LinkLimits.smallestSDU)
        try await channel.send(datagram(.hello(Hello(role: .phone, identity: 3, epoch: 4, limits: smallest))))
        var datagram = try await channel.receive()
        while datagram[0] != 0x11 { datagram = try await channel.receive() }
        #expect(message.bodySize == bodySize)
        #expect(datagram.count <= LinkLimits.smallestSDU, "\(datagram.count) bytes")
        let header = try MessageHeader(datagram.span)
        #expect(header.origin == 5 && header.hasValue == (bodySize <= 118))
        await watch.close()
    }

    @Test(arguments: [GoodbyeReason.version, .refused])
    func `After a goodbye with reason 1 or 3 the side that connects waits a minute, and then tries again`(
        _ reason: GoodbyeReason
    ) async throws {
        let clock = ManualClock()
        let link = InMemoryLink(largestDatagram: 512)
        let watch = Wormhole.quick(.watch, .connects(link.connector), clock: clock)
        let found = Task { await watch.waitUntilUnreachable(.phone) }
        try await watch.start()
        let channel = try await link.listener.accept()
        _ = try await channel.receive()
        try await channel.send(datagram(.goodbye(Goodbye(reason))))
        _ = await found.value
        while clock.deadlines != [clock.now + ReconnectDelay.unwanted] { await Task.yield() }
        clock.advance(by: ReconnectDelay.unwanted)
        _ = try await link.listener.accept()
        await watch.close()
    }
}
